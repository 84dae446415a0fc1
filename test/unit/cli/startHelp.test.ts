import { runCli } from '../../../src/cli/program';
import { FLOW_SUMMARIES } from '../../../src/domain/flowNames';
import { testTerminal } from './terminal';

async function helpOf(flow: string): Promise<string> {
  const terminal = testTerminal();
  expect(await runCli(['start', flow, '--help'], terminal)).toBe(0);
  return `${terminal.outLines.join('\n')}\n`;
}

test('the help of start without a flow lists every flow with its summary', async () => {
  const terminal = testTerminal();
  expect(await runCli(['start', '--help'], terminal)).toBe(0);
  const [, listed] = terminal.outLines.join('\n').split('\nFlows:\n');
  const flows = listed!.split('\n').map((line) => /^ {2}(\w+) +(.+)$/.exec(line)!.slice(1));
  expect(Object.fromEntries(flows)).toEqual(FLOW_SUMMARIES);
});

test('the help of start lists and describes the input fields of a flow', async () => {
  const help = await helpOf('transfer');
  expect(help).toMatch(/Input of transfer:\n {2}from\.walletId\?: UUID of a developer wallet, or of a user's wallet /);
  expect(help).toContain('  fee.feeLevel?: LOW, MEDIUM, HIGH\n');
  expect(help).toContain('  deadline?: duration such as "3 days"\n');
});

test('each form of an input has a heading, followed by all its fields', async () => {
  const [, ...forms] = (await helpOf('onboardUser')).split(/^ {2}method: /m).map((form) => form.split('\n'));
  expect(forms.map(([method]) => method)).toEqual(['pin', 'email', 'social']);
  const [pin, email, social] = forms.map((form) => form.join('\n'));
  for (const form of [pin, email, social]) {
    expect(form).toMatch(/^ {4}wallets\[\]\.accountType\?: .*EOA/m);
    expect(form).toContain('    deadline?: duration such as "3 days"\n');
  }
  expect(pin).toMatch(/^ {4}userId: /m);
  expect(email).toMatch(/^ {4}email: .* \(sealed\)$/m);
  expect(email!.match(/sealed/g)).toHaveLength(1);
  expect(email).toMatch(/^ {4}userId\?: /m);
  expect(email).toMatch(/^ {4}deviceId\?: /m);
  expect(social).toContain('    provider: Google, Facebook, Apple\n');
});

test('a form inside an input has a heading as well', async () => {
  expect(await helpOf('signPayload')).toContain(
    ['  payload.kind: message', '    payload.message: string', '    payload.encodedByHex?: boolean'].join('\n'),
  );
});
