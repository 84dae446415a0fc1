import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { signEvent } from '../../src/crypto/eventSignature';
import { freeLoopbackAddress } from '../../src/temporal/sdkMetrics';
import { endCommands, type RunningCommand, startShell } from '../support/commandLine';
import { codeOf, ROOT, WorkingFolder } from '../support/documents';
import { until } from '../support/until';
import { launch } from './browser';

/** Folder for the terminal output and screenshots of the page. */
const RECORD_FOLDER = path.join(ROOT, '.ci/results/onboarding');
const TIMEOUT_MS = 60_000;

const folder = new WorkingFolder();
const secret = `whsec_${randomBytes(32).toString('base64')}`;
let browser: Browser;
let backendUrl: string;

/** Adapts lines of a document to this test: the path of the example in this clone, and a free port. */
const adapted = (lines: string) =>
  lines
    .replaceAll('examples/backend', path.join(ROOT, 'examples/backend'))
    .replaceAll('localhost:3000', backendUrl.replace('http://', ''));
const shell = (lines: string) =>
  startShell(adapted(lines), {
    cwd: folder.path,
    env: { PORT: new URL(backendUrl).port, EVENTS_SECRET_FILE: path.join(folder.path, 'events.secret') },
  });
const responseOf = async (lines: string) => JSON.parse((await shell(lines).ended).out) as Record<string, unknown>;

beforeAll(async () => {
  mkdirSync(RECORD_FOLDER, { recursive: true });
  writeFileSync(path.join(folder.path, 'events.secret'), `${secret}\n`);
  backendUrl = `http://${await freeLoopbackAddress()}`;
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  endCommands();
  folder.remove();
});

describe('the steps of docs/users.md', () => {
  // The test approves on the page instead of running the control's approve command.
  const [
    startDev = '',
    startBackend = '',
    startOnboarding = '',
    watchCommand = '',
    showApproval = '',
    ,
    showProgress = '',
  ] = codeOf('docs/users.md', 'sh');
  let dev: RunningCommand;
  let emulator: string;
  let example: { from: { walletId: string }; to: string; tokenId: string };

  beforeAll(async () => {
    dev = shell(startDev);
    [, emulator = ''] = /(http\S+)/.exec(await dev.waitForLine(/^API /)) ?? [];
    example = JSON.parse(/echo '([^']+)'/.exec(await dev.waitForLine(/start transfer/))![1]!) as typeof example;
    await dev.waitForLine(/^Press Ctrl-C/);
    await shell(startBackend).waitForLine(/Server listening/);
  });

  test('onboard a user who approves with a PIN on the page, while the terminal shows the progress', async () => {
    expect(await responseOf(startOnboarding)).toEqual({ ref: 'user-1', created: true });
    expect(await responseOf(startOnboarding)).toEqual({ ref: 'user-1', created: false });
    const watching = shell(watchCommand);
    await watching.waitForLine(/waits for the user to approve/);
    await until(async () => 'approval' in (await responseOf(showProgress)), 'the challenge', TIMEOUT_MS);
    expect(await responseOf(showApproval)).toEqual({
      type: 'challenge',
      appId: expect.any(String),
      userToken: expect.any(String),
      encryptionKey: expect.any(String),
      challengeId: expect.any(String),
    });

    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    await page.goto(`${backendUrl}/onboardings/user-1/page`);
    await page.getByText('INITIALIZE').waitFor();
    await page.screenshot({ path: path.join(RECORD_FOLDER, '1-backend.png') });
    await page.goto(`${emulator}/emulator`);
    await page.getByRole('button', { name: 'Approve initialize of user-1' }).click();
    const dialog = page.getByRole('dialog');
    for (const [label, text] of Object.entries({ 'New PIN': '123456', 'Answer 1': 'Rex', 'Answer 2': 'Hill' }))
      await dialog.getByLabel(label, { exact: true }).fill(text);
    await page.screenshot({ path: path.join(RECORD_FOLDER, '2-pin.png') });
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.locator('#wallets').getByText('of user user-1').waitFor();
    await page.screenshot({ path: path.join(RECORD_FOLDER, '3-wallet.png'), fullPage: true });

    const { exitCode, out } = await watching.ended;
    writeFileSync(path.join(RECORD_FOLDER, 'watch.txt'), out);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/Z  completed\n  userId user-1\n/),
    });
    expect(await responseOf(showProgress)).toMatchObject({
      outcome: { status: 'completed', result: { userId: 'user-1', wallets: [{ blockchain: 'ETH-SEPOLIA' }] } },
    });
    expect((await shell(showApproval).ended).out).toContain('FlowRefusedError');
  });

  test('leave a backend whose payouts work as in its README', async () => {
    const { from, to, tokenId } = example;
    const [, , payouts = ''] = codeOf('examples/backend/README.md', 'sh');
    const filled = [from.walletId, to, tokenId].reduce(
      (lines, id) => lines.replace(/"(0x)?…"/, `"${id}"`),
      `. .walletflow/dev.env\n${payouts.replaceAll('curl -s', "curl -s -w '\\n'")}`,
    );
    const { out } = await shell(filled).ended;

    const [started, progress, decided, cancelled] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(started).toEqual({ ref: 'p-1', created: true });
    expect(progress).toMatchObject({ flow: 'transfer', ref: 'p-1' });
    expect(decided).toMatchObject({ error: 'FlowRefusedError' });
    expect(cancelled).toEqual({ result: expect.stringMatching(/^(accepted|undecided|tooLate)$/) });
  });

  test('leave a backend that accepts only signed events', async () => {
    const id = 'transfer/p-1/1';
    const event = { id, type: 'step', sequence: 1, timestamp: new Date().toISOString() };
    const of = { entity: 'dev', flow: 'transfer', ref: 'p-1', data: { name: 'gate', state: 'active' } };
    const body = JSON.stringify({ ...event, ...of });
    const send = async (text: string) =>
      (
        await fetch(`${backendUrl}/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signEvent(secret, id, new Date(), body) },
          body: text,
        })
      ).status;

    expect(await send(body)).toBe(204);
    expect(await send(body.replace('gate', 'other'))).toBe(400);
  });
});
