import { command, endCommands } from '../support/commandLine';

afterAll(endCommands);

/** Flows that `--all` adds, and the line that each one must show. */
const MORE: Readonly<Record<string, RegExp>> = {
  'transfer/ten': /from an undeployed smart-contract wallet, the first alone, 10 transactions/,
  'transfer/lane': /one is stuck, 2 wait behind it; accelerated by a decision, 3 transactions/,
  'onboardUser/anna': /approved with a new PIN; 1 wallet live/,
  'onboardUser/berta': /2 emails, logged in with the last one; 1 wallet live/,
  'onboardUser/carla': /logged in at Google; 1 wallet live/,
  'onboardUser/dora': /first challenge expired, second approved; PIN locked, approved after the lock; 2 wallets live/,
  'transfer/by-anna': /approved by the user, one transaction/,
  'changePin/anna': /approved with the old PIN/,
};

test('the whole demo completes, including its lanes and user flows, and sends nothing twice', async () => {
  const { exitCode, out, err } = await command(['demo', '--all']);
  const lines = out.trim().split('\n');

  expect({ exitCode, failed: lines.filter((line) => line.startsWith('✖')), err }).toEqual({
    exitCode: 0,
    failed: [],
    err: expect.any(String),
  });
  for (const [flow, line] of Object.entries(MORE)) {
    expect(lines.find((line) => line.startsWith(`✔ ${flow} `))).toMatch(line);
  }
  expect(lines.at(-1)).toBe('27 flows · 20 transactions · 0 sent twice · next: npx walletflow dev');
});
