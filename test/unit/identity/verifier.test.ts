import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, SignJWT } from 'jose';
import { IdentityFileSchema, type Issuer } from '../../../src/identity/issuers';
import { generateLocalIssuer, issuerOf, type LocalIssuer, mintToken } from '../../../src/identity/localIssuer';
import { identityVerifier } from '../../../src/identity/verifier';

const DECIDE = 'walletflow:decide';
const local = generateLocalIssuer();

/** Publishes keys as an issuer does, and counts how often it is asked. */
class KeyServer {
  asked = 0;
  answer: { status?: number; headers?: Record<string, string>; body: string } = { body: '' };
  private readonly server: Server;

  constructor() {
    this.server = createServer((_request, response) => {
      this.asked++;
      response.writeHead(this.answer.status ?? 200, this.answer.headers).end(this.answer.body);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks.json`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('keys by URL', () => {
  let keys: KeyServer;
  let remote: Issuer;

  beforeEach(async () => {
    keys = new KeyServer();
    const { jwks, ...issuer } = issuerOf(local);
    remote = { ...issuer, jwksUri: await keys.open() };
    keys.answer = { body: JSON.stringify(jwks) };
  });
  afterEach(() => keys.close());

  test('are fetched once for many tokens', async () => {
    const { verify } = identityVerifier([remote]);
    const tokens = await Promise.all(['ada', 'bob', 'cem'].map((name) => mintToken(local, name)));
    const people = await Promise.all(tokens.map((token) => verify(token, DECIDE)));
    expect(people.map(({ subject }) => subject)).toEqual(['ada', 'bob', 'cem']);
    expect(keys.asked).toBe(1);
  });

  test('tokens of strangers and unknown keys cause no storm of fetches', async () => {
    const { verify } = identityVerifier([remote]);
    const stranger: LocalIssuer = { ...generateLocalIssuer(), issuer: 'https://elsewhere.example' };
    await expect(verify(await mintToken(stranger, 'eve'), DECIDE)).rejects.toThrow(/not one that the workers believe/);
    expect(keys.asked).toBe(0);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const unknown = () =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: crypto.randomUUID() })
        .setIssuer(local.issuer)
        .setAudience(local.audience)
        .setExpirationTime('5 minutes')
        .sign(privateKey);
    for (let count = 0; count < 20; count++) {
      await expect(verify(await unknown(), DECIDE)).rejects.toThrow(/signed with a key that .* does not publish/);
    }
    expect(keys.asked).toBeLessThanOrEqual(2);
  });

  test.each([
    ['an outage', { status: 503, body: '' }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }],
    ['too much', { body: JSON.stringify({ keys: [{ kty: 'EC', n: 'x'.repeat(300_000) }] }) }],
    ['no keys', { body: '<html>' }],
    ['no list', { body: '{}' }],
  ])('%s: the sender is told to try again later, and the issuer is left alone until then', async (_what, answer) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'queueMicrotask'] });
    try {
      const good = keys.answer;
      keys.answer = answer;
      const { verify } = identityVerifier([remote]);
      const token = await mintToken(local, 'ada');
      for (let count = 0; count < 20; count++) {
        await expect(verify(token, DECIDE)).rejects.toThrow(
          /^token: the keys of walletflow-local can't be had just now; send it again later, with a new id$/,
        );
      }
      expect(keys.asked).toBe(1);
      keys.answer = good;
      jest.advanceTimersByTime(5_001);
      expect(await verify(token, DECIDE)).toMatchObject({ subject: 'ada' });
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a token', () => {
  const { verify } = identityVerifier([issuerOf(local)]);

  test('may come a minute early or late, for clocks differ', async () => {
    const now = Math.floor(Date.now() / 1_000);
    for (const claims of [{ expiresAt: now - 30 }, { notBefore: now + 30 }]) {
      expect(await verify(await mintToken(local, 'ada', claims), DECIDE)).toMatchObject({ subject: 'ada' });
    }
  });

  test.each([
    ['without a signature', `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: local.issuer, sub: 'ada' }))}.`],
    ['of an issuer by name only', `${btoa('{"alg":"HS256"}')}.${btoa(JSON.stringify({ iss: local.issuer }))}.AAAA`],
  ])('%s is refused', async (_what, token) => {
    await expect(verify(token.replaceAll('=', ''), DECIDE)).rejects.toThrow(/^token: is (signed by another|no signed)/);
  });

  test('that names none of several keys is refused with just that', async () => {
    const other = issuerOf(generateLocalIssuer()).jwks!.keys[0]!;
    const issuer = issuerOf(local);
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

  test('that asks for more than is known here is refused with just that', async () => {
    const claims = btoa(JSON.stringify({ iss: local.issuer })).replaceAll('=', '');
    const header = btoa('{"alg":"ES256","kid":"local","crit":["x"],"x":1}').replaceAll('=', '');
    await expect(verify(`${header}.${claims}.AAAA`, DECIDE)).rejects.toThrow(/^token: needs what is not supported/);
  });

  test('needs an end and a subject', async () => {
    await expect(verify(await mintToken(local, ''), DECIDE)).rejects.toThrow(/no usable "sub"/);
    await expect(verify(await mintToken(local, 'x'.repeat(256)), DECIDE)).rejects.toThrow(/no usable "sub"/);
  });

  test('may name its scopes in a claim of another name, as a list', async () => {
    const issuer = { ...issuerOf(local), scopeClaim: 'aud' };
    expect(await identityVerifier([issuer]).verify(await mintToken(local, 'ada'), 'walletflow')).toMatchObject({
      subject: 'ada',
    });
  });

  test('is refused by everybody where no issuer is configured', async () => {
    await expect(identityVerifier([]).verify(await mintToken(local, 'ada'), DECIDE)).rejects.toThrow(
      /believe no issuer; name one in the file of WALLETFLOW_IDENTITY_FILE/,
    );
  });
});

describe('the identity file', () => {
  const good = issuerOf(local);
  const { jwks } = good;

  /** [what is wrong, issuers, what is said of it] */
  const WRONG: [string, object[], RegExp][] = [
    ['no issuer', [], /has no issuer/],
    ['neither keys nor their URL', [{ ...good, jwks: undefined }], /jwks.* is needed/],
    ['both', [{ ...good, jwksUri: 'https://a.example/' }], /only one of them/],
    ['keys by plain http', [{ ...good, jwks: undefined, jwksUri: 'http://a.example/' }], /no https URL/],
    ['a private key', [{ ...good, jwks: { keys: [local.privateKey] } }], /is a private key/],
    ['a shared secret', [{ ...good, jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }], /must be RSA, EC or OKP/],
    ['an issuer twice', [good, good], /names an issuer twice/],
    ['the server as issuer', [{ ...good, issuer: 'temporal' }], /Temporal server itself/],
    ['a misspelt field', [{ ...good, jwks, audiences: 'x' }], /audiences/],
  ];

  test.each(WRONG)('%s', (_what, issuers, says) => {
    expect(JSON.stringify(IdentityFileSchema.safeParse({ issuers }).error?.issues)).toMatch(says);
  });

  test('a good one', () => {
    const { scopeClaim: _, ...issuer } = good;
    expect(IdentityFileSchema.parse({ issuers: [issuer] })).toEqual({ issuers: [good] });
  });
});
