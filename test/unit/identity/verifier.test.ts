import { importJWK, SignJWT } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { IdentityFileSchema, type Issuer } from '../../../src/identity/issuers';
import { generateLocalIssuer, type LocalIssuer, mintToken, toIssuer } from '../../../src/identity/localIssuer';
import { identityVerifier, IssuerUnreachableError } from '../../../src/identity/verifier';
import { KeyServer } from '../../support/keyServer';

const DECIDE = 'walletflow:decide';
/** Time is faked; requests are real. */
const REAL = ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask'] as const;
const local = generateLocalIssuer();

describe('keys by URL', () => {
  let keys: KeyServer;
  let remote: Issuer;

  beforeEach(async () => {
    keys = new KeyServer();
    const { jwks, ...issuer } = toIssuer(local);
    remote = { ...issuer, jwksUri: await keys.open() };
    keys.response = { body: JSON.stringify(jwks) };
  });
  afterEach(() => keys.close());

  test('are fetched once for many tokens', async () => {
    const { verify } = identityVerifier([remote]);
    const tokens = await Promise.all(['ada', 'bob', 'cem'].map((name) => mintToken(local, name)));
    const actors = await Promise.all(tokens.map((token) => verify(token, DECIDE)));
    expect(actors.map(({ subject }) => subject)).toEqual(['ada', 'bob', 'cem']);
    expect(keys.requests).toBe(1);
  });

  test('are not fetched for foreign issuers, and at most twice for unknown keys', async () => {
    const { verify } = identityVerifier([remote]);
    const foreignIssuer: LocalIssuer = { ...generateLocalIssuer(), issuer: 'https://elsewhere.example' };
    await expect(verify(await mintToken(foreignIssuer, 'eve'), DECIDE)).rejects.toThrow(
      /the workers do not trust its issuer/,
    );
    expect(keys.requests).toBe(0);
    for (let count = 0; count < 20; count++) {
      await expect(verify(await signedByUnknownKey(), DECIDE)).rejects.toThrow(
        /signed with a key that .* does not publish/,
      );
    }
    expect(keys.requests).toBeLessThanOrEqual(2);
  });

  test('serve on through an outage of a day, and a withdrawn key is gone when they are fetched again', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    try {
      const { verify } = identityVerifier([remote]);
      const ada = async () => verify(await mintToken(local, 'ada'), DECIDE);
      await ada();
      keys.response = { status: 503, body: '' };
      jest.advanceTimersByTime(11 * 60_000);
      for (let count = 0; count < 20; count++) expect(await ada()).toMatchObject({ subject: 'ada' });
      expect(keys.requests).toBe(2);
      // A key that was not known before the outage may be a new one: it is neither accepted nor refused for good.
      await expect(verify(await signedByUnknownKey(), DECIDE)).rejects.toThrow(IssuerUnreachableError);
      jest.advanceTimersByTime(24 * 60 * 60_000);
      await expect(ada()).rejects.toThrow(IssuerUnreachableError);

      keys.response = { body: JSON.stringify({ keys: [] }) };
      jest.advanceTimersByTime(5_001);
      await expect(ada()).rejects.toThrow(/signed with a key that .* does not publish/);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([
    ['an outage', { status: 503, body: '' }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
    ['an oversized response', { body: JSON.stringify({ keys: [{ kty: 'EC', n: 'x'.repeat(300_000) }] }) }],
    ['invalid JSON', { body: '<html>' }],
    ['a missing list', { body: '{}' }],
  ])('after %s the sender has to try again later, and no request is sent until then', async (_problem, response) => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    try {
      const valid = keys.response;
      keys.response = response;
      const { verify } = identityVerifier([remote]);
      const token = await mintToken(local, 'ada');
      for (let count = 0; count < 20; count++) {
        const refusal = verify(token, DECIDE);
        await expect(refusal).rejects.toThrow(IssuerUnreachableError);
        await expect(refusal).rejects.toThrow(
          /^token: the keys of walletflow-local cannot be fetched at the moment; send it again later, with a new id$/,
        );
      }
      expect(keys.requests).toBe(1);
      keys.response = valid;
      jest.advanceTimersByTime(5_001);
      expect(await verify(token, DECIDE)).toMatchObject({ subject: 'ada' });
    } finally {
      jest.useRealTimers();
    }
  });
});

/** A token in the name of the issuer, signed with a key that it does not publish. */
function signedByUnknownKey(): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: crypto.randomUUID() })
    .setIssuer(local.issuer)
    .setAudience(local.audience)
    .setExpirationTime('5 minutes')
    .sign(privateKey);
}

describe('a token', () => {
  const { verify } = identityVerifier([toIssuer(local)]);

  test('may be a minute early or late, since clocks differ', async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const claims of [{ expiresAt: now - 30 }, { notBefore: now + 30 }]) {
      expect(await verify(await mintToken(local, 'ada', claims), DECIDE)).toMatchObject({ subject: 'ada' });
    }
  });

  test('is verified for the given time', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const at = (seconds: number) => new Date((now + seconds) * 1_000);
    const past = await mintToken(local, 'ada', { expiresAt: now - 86_400 });
    expect(await verify(past, DECIDE, at(-86_460))).toMatchObject({ subject: 'ada' });
    await expect(verify(past, DECIDE, at(0))).rejects.toThrow(/^token: has expired/);
    const future = await mintToken(local, 'ada', { notBefore: now + 3_600, expiresAt: now + 7_200 });
    await expect(verify(future, DECIDE, at(0))).rejects.toThrow(/^token: is not valid yet/);
    expect(await verify(future, DECIDE, at(3_600))).toMatchObject({ subject: 'ada' });
  });

  test.each([
    ['without a signature', `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: local.issuer, sub: 'ada' }))}.`],
    ['of an issuer by name only', `${btoa('{"alg":"HS256"}')}.${btoa(JSON.stringify({ iss: local.issuer }))}.AAAA`],
  ])('%s is rejected', async (_problem, token) => {
    await expect(verify(token.replaceAll('=', ''), DECIDE)).rejects.toThrow(
      /^token: is (signed with an algorithm other|not a signed)/,
    );
  });

  test('without a key id is rejected with that reason if the issuer has several keys', async () => {
    const other = toIssuer(generateLocalIssuer()).jwks!.keys[0]!;
    const issuer = toIssuer(local);
    const several = { ...issuer, jwks: { keys: [...issuer.jwks!.keys, { ...other, kid: 'next' }] } };
    const token = await new SignJWT({ scope: DECIDE })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(local.issuer)
      .setSubject('ada')
      .setAudience(local.audience)
      .setExpirationTime('5 minutes')
      .sign(await importJWK(local.privateKey, 'ES256'));
    expect(await verify(token, DECIDE)).toMatchObject({ subject: 'ada' });
    await expect(identityVerifier([several]).verify(token, DECIDE)).rejects.toThrow(
      /^token: names no key \("kid"\), and walletflow-local publishes several/,
    );
  });

  test('with an unsupported critical header is rejected with that reason', async () => {
    const claims = btoa(JSON.stringify({ iss: local.issuer })).replaceAll('=', '');
    const header = btoa('{"alg":"ES256","kid":"local","crit":["x"],"x":1}').replaceAll('=', '');
    await expect(verify(`${header}.${claims}.AAAA`, DECIDE)).rejects.toThrow(/^token: needs an unsupported feature/);
  });

  test('needs a usable subject', async () => {
    await expect(verify(await mintToken(local, ''), DECIDE)).rejects.toThrow(/no usable "sub"/);
    await expect(verify(await mintToken(local, 'x'.repeat(256)), DECIDE)).rejects.toThrow(/no usable "sub"/);
  });

  test('may have its scopes as a list in another claim', async () => {
    const issuer = { ...toIssuer(local), scopeClaim: 'aud' };
    expect(await identityVerifier([issuer]).verify(await mintToken(local, 'ada'), 'walletflow')).toMatchObject({
      subject: 'ada',
    });
  });

  test('is always rejected if no issuer is configured', async () => {
    await expect(identityVerifier([]).verify(await mintToken(local, 'ada'), DECIDE)).rejects.toThrow(
      /trust no issuer; add one to the file of WALLETFLOW_IDENTITY_FILE/,
    );
  });
});

describe('the identity file', () => {
  const valid = toIssuer(local);
  const { jwks } = valid;

  /** [problem, issuers, error message] */
  const INVALID: [string, object[], RegExp][] = [
    ['no issuer', [], /has no issuer/],
    ['neither keys nor their URL', [{ ...valid, jwks: undefined }], /jwks.* is required/],
    ['both keys and their URL', [{ ...valid, jwksUri: 'https://a.example/' }], /but not both/],
    ['keys by plain http', [{ ...valid, jwks: undefined, jwksUri: 'http://a.example/' }], /not an https URL/],
    ['a private key', [{ ...valid, jwks: { keys: [local.privateKey] } }], /is a private key/],
    ['a shared secret', [{ ...valid, jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }], /must be RSA, EC or OKP/],
    ['an issuer twice', [valid, valid], /names an issuer twice/],
    ['the server as issuer', [{ ...valid, issuer: 'temporal' }], /Temporal server itself/],
    ['a misspelt field', [{ ...valid, jwks, audiences: 'x' }], /audiences/],
  ];

  test.each(INVALID)('with %s is rejected', (_problem, issuers, message) => {
    expect(JSON.stringify(IdentityFileSchema.safeParse({ issuers }).error?.issues)).toMatch(message);
  });

  test('with a valid issuer is accepted', () => {
    const { scopeClaim: _, ...issuer } = valid;
    expect(IdentityFileSchema.parse({ issuers: [issuer] })).toEqual({ issuers: [valid] });
  });
});
