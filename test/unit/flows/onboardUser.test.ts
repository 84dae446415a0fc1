import { onboardUser } from '../../../src/flows/onboardUser';

const wallets = [{ blockchains: ['ETH-SEPOLIA'] }];
const pin = { method: 'pin', userId: 'user-1', wallets };

/** All problems that `start` would report, as `field: …`. */
function problemsOf(input: object): string[] {
  const parsed = onboardUser.input.safeParse(input);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return (onboardUser.check?.(parsed.data) ?? []).map(([field, problem]) => `${field}: ${problem}`);
}

test.each<[string, object]>([
  ['a user with a PIN', pin],
  ['a login by email', { method: 'email', email: 'anna@example.com', wallets }],
  [
    'a login at a provider',
    { method: 'social', provider: 'Google', wallets, deviceId: '0190a1b2-0000-7000-8000-000000000001' },
  ],
  ['wallets of two types', { ...pin, wallets: [...wallets, { blockchains: ['ETH-SEPOLIA'], accountType: 'SCA' }] }],
  [
    'a user with every optional field',
    { ...pin, fund: { usdc: true }, monitoredTokens: ['0190a1b2-0000-7000-8000-000000000001'] },
  ],
])('the input for %s is accepted', (_name, input) => {
  expect(problemsOf(input)).toEqual([]);
});

test.each<[object, string]>([
  [{ ...pin, method: 'phone' }, 'method: must be one of pin, email, social'],
  [{ ...pin, userId: 'anna' }, 'userId: is not a user id'],
  [{ ...pin, email: 'anna@example.com' }, ': Unrecognized key: "email"'],
  [{ method: 'email', email: 'anna', wallets }, 'email: is not an email address'],
  [{ method: 'social', provider: 'Microsoft', wallets }, 'provider: must be one of Google, Facebook, Apple'],
  [{ method: 'social', provider: 'Apple', wallets, deviceId: 'phone' }, 'deviceId: is not a device id'],
  [{ ...pin, wallets: [] }, 'wallets: is empty'],
  [{ ...pin, wallets: [{ blockchains: [] }] }, 'wallets.0.blockchains: is empty'],
  [{ ...pin, wallets: [{ blockchains: ['ETHEREUM'] }] }, 'wallets.0.blockchains.0: is not a blockchain of the API'],
  [{ ...pin, wallets: [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }] }, 'wallets.0: 155507 '],
  [{ ...pin, wallets: [{ blockchains: ['ETH-SEPOLIA', 'MATIC-AMOY'], accountType: 'SCA' }] }, 'wallets.0: 155508 '],
  [{ ...pin, wallets: [{ blockchains: ['ETH-SEPOLIA'], metadata: [] }] }, 'wallets.0: 155504 '],
  [{ ...pin, wallets: [...wallets, ...wallets] }, 'wallets: contains the EOA wallet on ETH-SEPOLIA twice'],
  [{ ...pin, fund: {} }, 'fund: requests no token'],
  [{ ...pin, wallets: [{ blockchains: ['ETH'] }], fund: { native: true } }, 'fund: 156027 '],
  [{ ...pin, wallets: [{ blockchains: ['NEAR-TESTNET'] }], fund: { native: true } }, 'fund: 156027 '],
  [{ ...pin, monitoredTokens: ['USDC'] }, 'monitoredTokens.0: is not a token id'],
  [{ ...pin, deadline: 3_600 }, 'deadline: must be a string'],
])('the input %j is rejected: %s', (input, problem) => {
  expect(problemsOf(input)).toEqual([expect.stringContaining(problem)]);
});
