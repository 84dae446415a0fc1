import { startEmulator, type Emulator } from '../../src/emulator';
import { Visit } from './page';

const visit = Visit.begin();

test('wallets and balances are shown; somebody sends tokens, and they arrive when the clock is moved on', async () => {
  const wallet = await visit.chain.wallet();
  await visit.open();
  const row = visit.page
    .locator('#wallets')
    .getByRole('row')
    .filter({ hasText: wallet.address.slice(0, 8) });

  await row.getByRole('button', { name: /^Send tokens/ }).click();
  const { dialog } = visit;
  await dialog.getByLabel('Token').selectOption({ label: 'USDC' });
  await dialog.getByLabel('Amount').fill('12.5');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await visit.told('Tokens are on their way');
  await visit.page.getByRole('button', { name: 'Move the clock on by 1 h' }).click();

  await row.getByText('12.5 USDC').waitFor();
  expect(await visit.chain.balances(wallet)).toEqual({ USDC: '12.5' });
});

test('a wrong amount is told, the dialog stays, and nothing is lost', async () => {
  const wallet = await visit.chain.wallet();
  await visit.open();

  await visit.page.getByRole('button', { name: /^Send tokens/ }).click();
  const { dialog } = visit;
  await dialog.getByLabel('Amount').fill('twelve');
  await dialog.getByRole('button', { name: 'Send' }).click();

  await dialog
    .getByRole('alert')
    .getByText(/twelve|amount|decimal/i)
    .waitFor();
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('twelve');
  expect(await visit.chain.balances(wallet)).toEqual({});
  visit.refusalsExpected();
});

test('a transaction is failed with a reason, by keyboard alone', async () => {
  const wallet = await visit.chain.wallet();
  await visit.chain.fund(wallet, { native: '1', USDC: '5' });
  const { data } = await visit.chain.transfer(wallet);
  await visit.open();

  await visit.page.getByRole('button', { name: `Fail transaction ${data.id}` }).focus();
  await visit.page.keyboard.press('Enter');
  await visit.page.getByRole('dialog').getByLabel('Reason').focus();
  await visit.page.keyboard.press('ControlOrMeta+A');
  await visit.page.keyboard.type('TRANSACTION_UNDER_PRICE');
  await visit.page.keyboard.press('Enter');

  await visit.page.getByText('TRANSACTION_UNDER_PRICE').waitFor();
  expect(await visit.chain.transaction(data.id)).toMatchObject({
    state: 'FAILED',
    errorReason: 'TRANSACTION_UNDER_PRICE',
  });
});

test('a fault is added, strikes once, and is removed', async () => {
  await visit.open();

  await visit.page.getByRole('button', { name: 'Add a fault' }).click();
  const { dialog } = visit;
  await dialog.getByLabel('Operation').fill('listWallets');
  await dialog.getByLabel('What happens').selectOption({ label: 'Status 500, nothing is done' });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await visit.told('The fault waits');
  expect((await visit.chain.get('/wallets')).status).toBe(500);
  await visit.page.getByText('struck 1 times').waitFor();
  await visit.page.getByRole('button', { name: /^Remove the fault/ }).click();

  await visit.page.getByText('Everything works.').waitFor();
  expect((await visit.chain.get('/wallets')).status).toBe(200);
});

test('on a phone nothing is wider than the screen', async () => {
  const wallet = await visit.chain.wallet();
  await visit.chain.fund(wallet, { native: '1', USDC: '5' });
  await visit.chain.transfer(wallet);
  await visit.page.setViewportSize({ width: 390, height: 800 });
  await visit.open();
  await visit.page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  const width = await visit.page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
});

test('when the emulator is gone, the page says so and comes back with it', async () => {
  const apiKey = 'TEST_API_KEY:page:1';
  let emulator: Emulator = await startEmulator({ worlds: [{ apiKey }] });
  const { port } = new URL(emulator.url);
  await visit.page.goto(`${emulator.url}/emulator`);
  await visit.page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  await emulator.close();
  await visit.told('The emulator does not answer');
  emulator = await startEmulator({ port: Number(port), worlds: [{ apiKey }] });

  await visit.page.getByRole('status').getByText('The emulator does not answer').waitFor({ state: 'detached' });
  await emulator.close();
  visit.outside.length = 0; // another emulator than the test's
  visit.problems.length = 0; // the browser reports what it could not load
});
