import { command, endCommands } from '../support/commandLine';

afterAll(endCommands);

/** The user flows of the demo and the line that each one must show. */
const USERS: Readonly<Record<string, RegExp>> = {
  'onboardUser/anna': /approved with a new PIN; 1 wallet live/,
  'onboardUser/berta': /2 emails, logged in with the last one; 1 wallet live/,
  'onboardUser/carla': /logged in at Google; 1 wallet live/,
  'onboardUser/dora': /first challenge expired, second approved; PIN locked, approved after the lock; 2 wallets live/,
  'transfer/by-anna': /approved by the user, one transaction/,
  'changePin/anna': /approved with the old PIN/,
};

test('the whole demo completes, including its user flows, and sends nothing twice', async () => {
  const { exitCode, out, err } = await command(['demo', '--all']);
  const lines = out.trim().split('\n');

  expect({ exitCode, failed: lines.filter((line) => line.startsWith('✖')), err }).toEqual({
    exitCode: 0,
    failed: [],
    err: expect.any(String),
  });
  for (const [flow, line] of Object.entries(USERS)) {
    expect(lines.find((line) => line.startsWith(`✔ ${flow} `))).toMatch(line);
  }
  expect(lines.at(-1)).toBe('14 flows · 7 transactions · 0 sent twice · next: npx walletflow dev');
});
