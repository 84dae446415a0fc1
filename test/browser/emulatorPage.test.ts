import type { Browser, Page } from 'playwright-core';
import { startEmulator, type Emulator } from '../../src/emulator';
import { closeOwnEmulator } from '../support/emulator';
import { Chain } from '../emulator/chain/support';
import { launch } from './browser';

/** The page as a person uses it, in a real browser. */
let browser: Browser;
let chain: Chain;
let page: Page;
const outside: string[] = [];
const problems: string[] = [];

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await closeOwnEmulator();
});

beforeEach(async () => {
  chain = await Chain.open();
  page = await browser.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(chain.world.url)) outside.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});
afterEach(async () => {
  await page.close();
  const [complaint] = [...outside.splice(0).map((url) => `asked ${url}`), ...problems.splice(0)];
  if (complaint !== undefined) throw new Error(`The page ${complaint}`);
});

/** Opens the page at the test's own world. */
async function open(): Promise<void> {
  const { worlds } = (await (await fetch(`${chain.world.url}/emulator/worlds`)).json()) as {
    worlds: { id: string; name: string }[];
  };
  const { id } = worlds.find(({ name }) => chain.world.apiKey.startsWith(`${name}:`))!;
  await page.goto(`${chain.world.url}/emulator#${id}`);
}

const status = () => page.getByRole('status');

test('wallets and balances are shown; somebody sends tokens, and they arrive when the clock is moved on', async () => {
  const wallet = await chain.wallet();
  await open();
  const row = page
    .locator('#wallets')
    .getByRole('row')
    .filter({ hasText: wallet.address.slice(0, 8) });

  await row.getByRole('button', { name: /^Send tokens/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token').selectOption({ label: 'USDC' });
  await dialog.getByLabel('Amount').fill('12.5');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await status().getByText('Tokens are on their way').waitFor();
  await page.getByRole('button', { name: '+1 h' }).click();

  await row.getByText('12.5 USDC').waitFor();
  expect(await chain.balances(wallet)).toEqual({ USDC: '12.5' });
});

test('a wrong amount is told, the dialog stays, and nothing is lost', async () => {
  const wallet = await chain.wallet();
  await open();

  await page.getByRole('button', { name: /^Send tokens/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('twelve');
  await dialog.getByRole('button', { name: 'Send' }).click();

  await status()
    .getByText(/twelve|amount|decimal/i)
    .waitFor();
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('twelve');
  expect(await chain.balances(wallet)).toEqual({});
  problems.length = 0; // the browser itself reports the refused request
});

test('a transaction is failed with a reason, by keyboard alone', async () => {
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1', USDC: '5' });
  const { data } = await chain.transfer(wallet);
  await open();

  await page.getByRole('button', { name: `Fail transaction ${data.id}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Reason').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('TRANSACTION_UNDER_PRICE');
  await page.keyboard.press('Enter');

  await page.getByText('TRANSACTION_UNDER_PRICE').waitFor();
  expect(await chain.transaction(data.id)).toMatchObject({ state: 'FAILED', errorReason: 'TRANSACTION_UNDER_PRICE' });
});

test('a fault is added, strikes once, and is removed', async () => {
  await open();

  await page.getByRole('button', { name: 'Add a fault' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Operation').fill('listWallets');
  await dialog.getByLabel('What happens').selectOption({ label: 'Status 500, nothing is done' });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await status().getByText('The fault waits').waitFor();
  expect((await chain.get('/wallets')).status).toBe(500);
  await page.getByText('struck 1 times').waitFor();
  await page.getByRole('button', { name: /^Remove the fault/ }).click();

  await page.getByText('Everything works.').waitFor();
  expect((await chain.get('/wallets')).status).toBe(200);
});

test('on a phone nothing is wider than the screen', async () => {
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1', USDC: '5' });
  await chain.transfer(wallet);
  await page.setViewportSize({ width: 390, height: 800 });
  await open();
  await page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
});

test('when the emulator is gone, the page says so and comes back with it', async () => {
  const apiKey = 'TEST_API_KEY:page:1';
  let emulator: Emulator = await startEmulator({ worlds: [{ apiKey }] });
  const { port } = new URL(emulator.url);
  await page.goto(`${emulator.url}/emulator`);
  await page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  await emulator.close();
  await status().getByText('The emulator does not answer').waitFor();
  emulator = await startEmulator({ port: Number(port), worlds: [{ apiKey }] });

  await status().getByText('The emulator does not answer').waitFor({ state: 'detached' });
  await emulator.close();
  outside.length = 0; // another emulator than the test's
  problems.length = 0; // the browser reports what it could not load
});
