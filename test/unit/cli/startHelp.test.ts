import { runCli } from '../../../src/cli/program';
import { testTerminal } from './terminal';

async function helpOf(flow: string): Promise<string> {
  const terminal = testTerminal();
  expect(await runCli(['start', flow, '--help'], terminal)).toBe(0);
  return `${terminal.outLines.join('\n')}\n`;
}

test('the help of start lists the fields of a flow, and says what they are', async () => {
  const help = await helpOf('transfer');
  expect(help).toMatch(
    /Input of transfer:\n {2}from\.walletId: a wallet of the developer or of a user, who then has to /,
  );
  expect(help).toContain('  fee.feeLevel?: LOW, MEDIUM, HIGH\n');
  expect(help).toContain('  deadline?: duration such as "3 days"\n');
});

test('has a heading for each form of an input, and all its fields below', async () => {
  const [, ...forms] = (await helpOf('onboardUser')).split(/^ {2}method: /m).map((form) => form.split('\n'));
  expect(forms.map(([method]) => method)).toEqual(['pin', 'email', 'social']);
  const [pin, email, social] = forms.map((form) => form.join('\n'));
  for (const form of [pin, email, social]) {
    expect(form).toMatch(/^ {4}wallets\[\]\.accountType\?: .*EOA/m);
    expect(form).toContain('    deadline?: duration such as "3 days"\n');
  }
  expect(pin).toMatch(/^ {4}userId: /m);
  expect(email).toMatch(/^ {4}email: text/m);
  expect(email).toMatch(/^ {4}userId\?: /m);
  expect(email).toMatch(/^ {4}deviceId\?: /m);
  expect(social).toContain('    provider: Google, Facebook, Apple\n');
});

test('of a form within an input too', async () => {
  expect(await helpOf('signPayload')).toContain(
    ['  payload.kind: message', '    payload.message: text', '    payload.encodedByHex?: boolean'].join('\n'),
  );
});
