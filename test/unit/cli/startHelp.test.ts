import { runCli } from '../../../src/cli/program';
import { testTerminal } from './terminal';

test('the help of start lists the fields of a flow', async () => {
  const terminal = testTerminal();
  expect(await runCli(['start', 'transfer', '--help'], terminal)).toBe(0);
  const help = terminal.outLines.join('\n');
  expect(help).toMatch(/Input of transfer:\n {2}from\.walletId: string\n/);
  expect(help).toContain('  fee.feeLevel?: LOW, MEDIUM, HIGH');
});
