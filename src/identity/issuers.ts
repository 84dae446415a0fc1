import { z } from 'zod';
import { isLoopback, parseUrl } from '../api/url';
import { TEMPORAL } from '../domain/person';

const text = (what: string, remedy: string) =>
  z.string({ error: `must be ${what}; ${remedy}` }).min(1, `is empty; ${remedy}`);

/** A public key, as an issuer publishes it. What only this process could know too (`oct`, private parts) proves nothing. */
const PublicKeySchema = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP'], { error: 'must be RSA, EC or OKP; publish an asymmetric key' }) })
  .refine((key) => !('d' in key), { error: 'is a private key; give its public part alone' });

const JwksSchema = z.strictObject({
  keys: z
    .array(PublicKeySchema, { error: 'must be a list of keys; copy it from the issuer' })
    .min(1, 'has no key; add one'),
});

const IssuerSchema = z
  .strictObject({
    issuer: text('the `iss` of its tokens', 'copy it from the issuer').refine((name) => name !== TEMPORAL.issuer, {
      error: 'stands for the Temporal server itself; choose another name',
    }),
    audience: text('the `aud` that tokens for these workers have', 'agree on one with the issuer'),
    jwksUri: z
      .string({ error: 'must be a URL; copy it from the issuer' })
      .refine(isSafe, 'is no https URL; only keys of this machine may be fetched without')
      .optional(),
    jwks: JwksSchema.optional(),
    scopeClaim: text('the name of a claim', 'leave it out for "scope"').default('scope'),
  })
  .refine(({ jwksUri, jwks }) => (jwksUri === undefined) !== (jwks === undefined), {
    path: ['jwksUri'],
    error: 'or "jwks" is needed, and only one of them; say where its public keys are',
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

/** Somebody whose word about people the workers believe. */
export type Issuer = z.output<typeof IssuerSchema>;

function isSafe(uri: string): boolean {
  const url = parseUrl(uri);
  return url !== undefined && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}
