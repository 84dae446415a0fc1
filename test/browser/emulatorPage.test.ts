import { type Emulator, startEmulator } from '../../src/emulator';
import { PageSession } from './pageSession';

const ui = PageSession.begin();

test('sent tokens arrive in the balance of a wallet after the clock moves on', async () => {
  const wallet = await ui.client.wallet();
  await ui.open();
  const row = ui.page
    .locator('#wallets')
    .getByRole('row')
    .filter({ hasText: wallet.address.slice(0, 8) });

  await row.getByRole('button', { name: /^Send tokens/ }).click();
  const { dialog } = ui;
  await dialog.getByLabel('Token').selectOption({ label: 'USDC' });
  await dialog.getByLabel('Amount').fill('12.5');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await ui.expectMessage('Tokens are on their way');
  await ui.page.getByRole('button', { name: 'Advance the clock by 1 h' }).click();

  await row.getByText('12.5 USDC').waitFor();
  expect(await ui.client.balances(wallet)).toEqual({ USDC: '12.5' });
});

test('an invalid amount is reported in the dialog, which keeps the input', async () => {
  const wallet = await ui.client.wallet();
  await ui.open();

  await ui.page.getByRole('button', { name: /^Send tokens/ }).click();
  const { dialog } = ui;
  await dialog.getByLabel('Amount').fill('twelve');
  await dialog.getByRole('button', { name: 'Send' }).click();

  await dialog
    .getByRole('alert')
    .getByText(/twelve|amount|decimal/i)
    .waitFor();
  expect(await dialog.getByLabel('Amount').inputValue()).toBe('twelve');
  expect(await ui.client.balances(wallet)).toEqual({});
  ui.ignoreRequestErrors();
});

test('a transaction can be failed with a reason by keyboard alone', async () => {
  const wallet = await ui.client.wallet();
  await ui.client.fund(wallet, { native: '1', USDC: '5' });
  const { data } = await ui.client.transfer(wallet);
  await ui.open();

  await ui.page.getByRole('button', { name: `Fail transaction ${data.id}` }).focus();
  await ui.page.keyboard.press('Enter');
  await ui.page.getByRole('dialog').getByLabel('Reason').focus();
  await ui.page.keyboard.press('ControlOrMeta+A');
  await ui.page.keyboard.type('TRANSACTION_UNDER_PRICE');
  await ui.page.keyboard.press('Enter');

  await ui.page.getByText('TRANSACTION_UNDER_PRICE').waitFor();
  expect(await ui.client.transaction(data.id)).toMatchObject({
    state: 'FAILED',
    errorReason: 'TRANSACTION_UNDER_PRICE',
  });
});

test('a fault can be added, is counted when it is applied, and can be removed', async () => {
  await ui.open();

  await ui.page.getByRole('button', { name: 'Add a fault' }).click();
  const { dialog } = ui;
  await dialog.getByLabel('Operation').fill('listWallets');
  await dialog.getByLabel('What happens').selectOption({ label: 'Status 500, request not executed' });
  await dialog.getByRole('button', { name: 'Add' }).click();
  await ui.expectMessage('Fault added');
  expect((await ui.client.get('/wallets')).status).toBe(500);
  await ui.page.getByText('applied 1 times').waitFor();
  await ui.page.getByRole('button', { name: /^Remove the fault/ }).click();

  await ui.page.getByText('No faults.').waitFor();
  expect((await ui.client.get('/wallets')).status).toBe(200);
});

test('Enter right after Escape opens a dialog again, even if the browser has drawn nothing in between', async () => {
  await ui.open();
  await ui.button('Add a fault').focus();
  const { keyboard } = ui.page;
  await keyboard.press('Enter');
  const operation = ui.dialog.getByLabel('Operation');
  await operation.fill('createTransfer');

  // The page is busy with the first key until the second has arrived, so it handles both before the next frame.
  await ui.page.evaluate(`addEventListener('keydown', () => {
    const end = performance.now() + 200;
    while (performance.now() < end);
  }, { once: true })`);
  await Promise.all([keyboard.press('Escape'), keyboard.press('Enter')]);
  expect(await operation.inputValue()).toBe('');
  await operation.fill('listWallets');
  await keyboard.press('Enter');

  await ui.expectMessage('Fault added');
  await ui.section('faults').getByText('listWallets').waitFor();
});

test('the page fits the width of a phone', async () => {
  const wallet = await ui.client.wallet();
  await ui.client.fund(wallet, { native: '1', USDC: '5' });
  await ui.client.transfer(wallet);
  await ui.page.setViewportSize({ width: 390, height: 800 });
  await ui.open();
  await ui.page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  const width = await ui.page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(390);
});

test('the page reports that the emulator is down and recovers with it', async () => {
  const apiKey = 'TEST_API_KEY:page:1';
  let emulator: Emulator = await startEmulator({ worlds: [{ apiKey }] });
  const { port } = new URL(emulator.url);
  await ui.page.goto(`${emulator.url}/emulator`);
  await ui.page.getByRole('heading', { name: /^Wallets/ }).waitFor();

  await emulator.close();
  await ui.expectMessage('The emulator does not respond');
  emulator = await startEmulator({ port: Number(port), worlds: [{ apiKey }] });

  await ui.page.getByRole('status').getByText('The emulator does not respond').waitFor({ state: 'detached' });
  await emulator.close();
  ui.foreignRequests.length = 0; // the page requested another emulator
  ui.problems.length = 0; // the browser reported the failed requests
});
