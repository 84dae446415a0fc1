import { z } from 'zod';
import { isLoopback, parseUrl } from '../api/url';
import { TEMPORAL_ACTOR } from '../domain/actor';

const text = (meaning: string, remedy: string) =>
  z.string({ error: `must be ${meaning}; ${remedy}` }).min(1, `is empty; ${remedy}`);

/** A public key, as an issuer publishes it. Shared secrets (`oct`) and private keys prove nothing and are refused. */
const PublicKeySchema = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP'], { error: 'must be RSA, EC or OKP; publish an asymmetric key' }) })
  .refine((key) => !('d' in key), { error: 'is a private key; use only its public part' });

const JwksSchema = z.strictObject({
  keys: z
    .array(PublicKeySchema, { error: 'must be a list of keys; copy it from the issuer' })
    .min(1, 'has no key; add one'),
});

const IssuerSchema = z
  .strictObject({
    issuer: text('the `iss` of its tokens', 'copy it from the issuer').refine(
      (name) => name !== TEMPORAL_ACTOR.issuer,
      {
        error: 'is reserved for the Temporal server itself; choose another name',
      },
    ),
    audience: text('the `aud` of tokens for these workers', 'agree on one with the issuer'),
    jwksUri: z
      .string({ error: 'must be a URL; copy it from the issuer' })
      .refine(isSecureKeyUri, 'is not an https URL; plain http is allowed only on this machine')
      .optional(),
    jwks: JwksSchema.optional(),
    scopeClaim: text('the name of a claim', 'omit it for "scope"').default('scope'),
  })
  .refine(({ jwksUri, jwks }) => (jwksUri === undefined) !== (jwks === undefined), {
    path: ['jwksUri'],
    error: 'or "jwks" is required, but not both; give the URL or the keys',
  });

/**
 * ```json
 * { "issuers": [{ "issuer": "https://login.example.com/", "audience": "walletflow",
 *                 "jwksUri": "https://login.example.com/.well-known/jwks.json", "scopeClaim": "scope" }] }
 * ```
 */
export const IdentityFileSchema = z.strictObject(
  {
    issuers: z
      .array(IssuerSchema, { error: 'must be a list; write [{ "issuer": … }]' })
      .min(1, 'has no issuer; add one')
      .refine((issuers) => new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length, {
        error: 'names an issuer twice; remove one',
      }),
  },
  { error: 'must be an object; write { "issuers": [ … ] }' },
);

/** An identity provider whose tokens the workers trust. */
export type Issuer = z.output<typeof IssuerSchema>;

function isSecureKeyUri(uri: string): boolean {
  const url = parseUrl(uri);
  return url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}
