import { onboardUser } from '../../../src/flows/onboardUser';

const wallets = [{ blockchains: ['ETH-SEPOLIA'] }];
const pin = { method: 'pin', userId: 'user-1', wallets };

/** Every problem, as `start` would tell it: `field: …`. */
function problemsOf(input: object): string[] {
  const parsed = onboardUser.input.safeParse(input);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return (onboardUser.check?.(parsed.data) ?? []).map(([field, problem]) => `${field}: ${problem}`);
}

test.each<[string, object]>([
  ['by PIN', pin],
  ['by email', { method: 'email', email: 'anna@example.com', wallets }],
  [
    'at a provider',
    { method: 'social', provider: 'Google', wallets, deviceId: '0190a1b2-0000-7000-8000-000000000001' },
  ],
  ['wallets of two types', { ...pin, wallets: [...wallets, { blockchains: ['ETH-SEPOLIA'], accountType: 'SCA' }] }],
  ['with everything', { ...pin, fund: { usdc: true }, monitoredTokens: ['0190a1b2-0000-7000-8000-000000000001'] }],
])('%s', (_what, input) => {
  expect(problemsOf(input)).toEqual([]);
});

test.each<[object, string]>([
  [{ ...pin, method: 'phone' }, 'method: must be one of pin, email, social'],
  [{ ...pin, userId: 'anna' }, 'userId: is not a user id'],
  [{ ...pin, email: 'anna@example.com' }, ': Unrecognized key: "email"'],
  [{ method: 'email', email: 'anna', wallets }, 'email: is no email address'],
  [{ method: 'social', provider: 'Microsoft', wallets }, 'provider: must be one of Google, Facebook, Apple'],
  [{ method: 'social', provider: 'Apple', wallets, deviceId: 'phone' }, 'deviceId: is no device id'],
  [{ ...pin, wallets: [] }, 'wallets: is empty'],
  [{ ...pin, wallets: [{ blockchains: [] }] }, 'wallets.0.blockchains: is empty'],
  [{ ...pin, wallets: [{ blockchains: ['ETHEREUM'] }] }, 'wallets.0.blockchains.0: is no blockchain of the API'],
  [{ ...pin, wallets: [{ blockchains: ['SOL-DEVNET'], accountType: 'SCA' }] }, 'wallets.0: 155507 '],
  [{ ...pin, wallets: [{ blockchains: ['ETH-SEPOLIA', 'MATIC-AMOY'], accountType: 'SCA' }] }, 'wallets.0: 155508 '],
  [{ ...pin, wallets: [{ blockchains: ['ETH-SEPOLIA'], metadata: [] }] }, 'wallets.0: 155504 '],
  [{ ...pin, wallets: [...wallets, ...wallets] }, 'wallets: has the EOA wallet on ETH-SEPOLIA twice'],
  [{ ...pin, fund: {} }, 'fund: asks for nothing'],
  [{ ...pin, wallets: [{ blockchains: ['ETH'] }], fund: { native: true } }, 'fund: 156027 '],
  [{ ...pin, wallets: [{ blockchains: ['NEAR-TESTNET'] }], fund: { native: true } }, 'fund: 156027 '],
  [{ ...pin, monitoredTokens: ['USDC'] }, 'monitoredTokens.0: is not a token id'],
  [{ ...pin, deadline: 3_600 }, 'deadline: must be a text'],
])('%j is refused: %s', (input, problem) => {
  expect(problemsOf(input)).toEqual([expect.stringContaining(problem)]);
});
