import { STRANGER } from '../emulator/chain/support';
import { sendPii, US_EXCHANGE } from '../emulator/compliance/support';
import { BUY, quote, SELL, session } from '../emulator/ramp/support';
import { mailOtp, socialToken } from '../emulator/users/login';
import { PIN, TestUser, WRONG_PIN } from '../emulator/users/support';
import { until } from '../support/until';
import { PageSession } from './pageSession';

const ui = PageSession.begin();

describe('challenges', () => {
  /** Requests a signature from a user with a PIN and a wallet. */
  async function requestSignature() {
    const anna = await TestUser.initialized(ui.client, ['ETH-SEPOLIA']);
    const { data } = await anna.get('/wallets');
    const body = { walletId: data.wallets[0].id, message: 'Hello, shop' };
    const { data: opened } = await anna.postWithKey('/user/sign/message', body);
    return { anna, challengeId: opened.challengeId as string };
  }

  test('a new user chooses PIN and security questions and gets wallets', async () => {
    const anna = await TestUser.create(ui.client);
    const { data } = await anna.postWithKey('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });
    await ui.open();
    await ui.section('challenges').getByText('ETH-SEPOLIA').waitFor();

    await ui.button(`Approve initialize of ${anna.id}`).click();
    await ui.fill({ 'New PIN': PIN, 'Answer 1': 'Rex', 'Answer 2': 'Hill' }, 'Approve');
    await ui.expectMessage('has approved');
    await ui.button('Advance the clock by 1 min').click();

    await ui.page.locator('#wallets').getByText(`of user ${anna.id}`).waitFor();
    expect(await anna.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE' });
    expect(await anna.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'ENABLED' });
  });

  test('a wrong PIN is reported and counted, and the right one shows a signature to copy', async () => {
    const { anna, challengeId } = await requestSignature();
    await ui.open();
    await ui.section('challenges').getByText('Hello, shop').waitFor();

    await ui.button(/^Approve sign message/).click();
    await ui.fill({ PIN: WRONG_PIN }, 'Approve');
    await ui.dialog.getByRole('alert').getByText('155112').waitFor();
    await ui.section('users').getByText('1 wrong').waitFor();
    await ui.fill({ PIN }, 'Approve');

    const signature = ui.dialog.getByLabel('signature', { exact: true });
    expect(await signature.inputValue()).toMatch(/^0x[0-9a-f]{130}$/);
    await ui.button('Copy signature').click();
    await ui.page.keyboard.press('Escape');
    await ui.dialog.waitFor({ state: 'detached' });
    await ui.client.settle();
    expect(await anna.challenge(challengeId)).toMatchObject({ status: 'COMPLETE' });
    ui.ignoreRequestErrors();
  });

  test('a challenge can be approved by keyboard: the dialog takes the focus, Escape returns it, Enter approves', async () => {
    await requestSignature();
    await ui.open();
    const approve = ui.button(/^Approve sign message/);
    const focused = () => ui.page.evaluate<string>('document.activeElement.name || document.activeElement.innerText');

    await approve.focus();
    await ui.page.keyboard.press('Enter');
    await ui.dialog.waitFor();
    expect(await focused()).toBe('pin');
    await ui.page.keyboard.press('Escape');
    await ui.dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Approve');
    await ui.page.keyboard.press('Enter');
    await ui.dialog.waitFor();
    await ui.page.keyboard.type(PIN);
    await ui.page.keyboard.press('Enter');
    await ui.dialog.getByLabel('signature', { exact: true }).waitFor();
    await ui.page.keyboard.press('Escape');

    await ui.dialog.waitFor({ state: 'detached' });
    await until(async () => (await focused()).startsWith('Pending challenges'), 'the heading focused');
  });

  test('a challenge can be rejected or expired, and its client can report an error', async () => {
    const { anna, challengeId } = await requestSignature();
    const { data: other } = await anna.postWithKey('/user/pin', {}, 'PUT');
    await ui.open();

    await ui.button(/^Client error for sign message/).click();
    await ui.fill({ Error: 'Network error' }, 'Fail');
    await ui.expectMessage('155706: Network error');
    await ui.button(/^Reject sign message/).click();
    await ui.expectMessage('Challenge rejected');
    await ui.button(/^Expire change PIN/).click();
    await ui.expectMessage('Challenge expired');

    await ui.section('challenges').getByText('No pending challenges').waitFor();
    await ui.page.getByText('155701: The user declined').waitFor();
    expect(await anna.challenge(challengeId)).toMatchObject({ status: 'FAILED', errorCode: 155701 });
    expect(await anna.challenge(other.challengeId)).toMatchObject({ status: 'EXPIRED' });
    ui.ignoreRequestErrors();
  });

  test('a logged-in user approves without a PIN, but not while disabled', async () => {
    await mailOtp(ui.client);
    await ui.open();

    await ui.button(/^Log in as/).click();
    await ui.fill({}, 'Log in');
    const userToken = await ui.dialog.getByLabel('User token', { exact: true }).inputValue();
    await ui.page.keyboard.press('Escape');
    const { data } = await ui.client.send('GET', '/user', undefined, { 'x-user-token': userToken });
    await ui.section('mailbox').getByText('USED').waitFor();
    const anna = new TestUser(ui.client, data.id, userToken, '');
    const { data: opened } = await anna.postWithKey('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });

    await ui.button(`Disable ${data.id}`).click();
    await ui.button(/^Approve initialize/).click();
    await ui.expectMessage(/155109/);
    await ui.button(`Enable ${data.id}`).click();
    await ui.button(/^Approve initialize/).click();
    await ui.expectMessage('has approved');
    await ui.client.settle();
    expect(await anna.challenge(opened.challengeId)).toMatchObject({ status: 'COMPLETE' });
    ui.ignoreRequestErrors();
  });
});

test('a PIN can be locked and unlocked', async () => {
  const anna = await TestUser.initialized(ui.client);
  await ui.open();

  await ui.button(`Lock PIN of ${anna.id}`).click();
  await ui.section('users').getByText('LOCKED').waitFor();
  expect(await anna.user()).toMatchObject({ pinStatus: 'LOCKED' });
  await ui.button(`Unlock PIN of ${anna.id}`).click();

  await ui.button(`Lock PIN of ${anna.id}`).waitFor();
  expect(await anna.user()).toMatchObject({ pinStatus: 'ENABLED' });
});

test('a user can return from an SSO provider with an expired or a valid token', async () => {
  await socialToken(ui.client);
  await ui.open();

  await ui.button(/^Log in on device/).click();
  await ui.fill({ Outcome: "The provider's token has expired" }, 'Log in');
  await ui.dialog.getByRole('alert').getByText('155139').waitFor();
  await ui.fill({ Provider: 'Apple', Account: 'berta', Outcome: 'The provider knows the user' }, 'Log in');

  expect(await ui.dialog.getByLabel('Refresh token', { exact: true }).inputValue()).not.toBe('');
  await ui.section('users').getByText('logs in as berta at Apple').waitFor();
  ui.ignoreRequestErrors();
});

describe('travel rule', () => {
  test('the other VASP can accept a message', async () => {
    await sendPii(ui.client);
    await ui.client.world.control.advance(600);
    await ui.open();

    await ui.button(/^Respond to message/).click();
    await ui.fill({ Action: 'Accept it', Reason: 'known customer' }, 'Apply');

    const row = ui.section('travelRule').getByRole('row').filter({ hasText: 'known customer' });
    await row.getByText('ACCEPTED').waitFor();
    const { body: list } = await ui.client.control('GET', '/travelRule');
    expect(list.messages).toMatchObject([{ status: 'ACCEPTED', reason: 'known customer' }]);
  });

  test('an incoming message with an unknown address is reported, and one with a known address is shown', async () => {
    await ui.open();

    await ui.button('Incoming message').click();
    await ui.fill({ Amount: '5000000000', To: 'nowhere' }, 'Send');
    await ui.dialog
      .getByRole('alert')
      .getByText(/destination/)
      .waitFor();
    await ui.fill({ To: US_EXCHANGE }, 'Send');

    await ui.section('travelRule').getByText('5000 USDC').waitFor();
    ui.ignoreRequestErrors();
  });
});

describe('ramp', () => {
  test("a session's URL opens it in its world, where identity check, deposit and completion can be played", async () => {
    const { data } = await session(ui.client, { fiatAmount: BUY.fiatAmount });
    await ui.page.goto(data.url);
    const row = ui.section('ramp').getByRole('row').filter({ hasText: 'Purchase' });
    await row.and(ui.page.locator('[aria-current=location]')).waitFor();
    expect(new URL(ui.page.url()).searchParams.get('world')).toBe(await ui.worldId());

    await row.getByRole('button', { name: /^Submit identity/ }).click();
    await row.getByText('identity check: submitted').waitFor();
    await row.getByRole('button', { name: /^Approve identity/ }).click();
    await row.getByText('identity check: approved').waitFor();
    await row.getByRole('button', { name: /^Deposit/ }).click();
    expect(await ui.dialog.getByLabel('Amount in USD', { exact: true }).inputValue()).toBe('1000.00');
    await ui.fill({}, 'Pay');
    await row.getByText('DEPOSIT_RECEIVED').waitFor();
    await row.getByRole('button', { name: /^Complete/ }).click();
    await ui.button('Advance the clock by 1 h').click();

    await row.getByText('COMPLETED').waitFor();
  });

  test('a sale can expire, and can be paid from outside', async () => {
    const { data: price } = await quote(ui.client, SELL);
    const walletAddress = { blockchain: 'BASE-SEPOLIA', address: STRANGER };
    const country = { countryCode: 'DE' };
    const sale = { mode: 'REVIEW_SCREEN', quoteId: price.id, rampType: 'SELL', walletAddress, country };
    const { data } = await session(ui.client, sale);
    await ui.open();

    await ui.button(`Expire: session ${data.id}`).click();
    await ui.section('ramp').getByText('EXPIRED').waitFor();
    await ui.button(`Deposit: session ${data.id}`).click();
    await ui.fill({}, 'Pay');
    await ui.button('Advance the clock by 1 h').click();

    await ui.section('ramp').getByText('DEPOSIT_RECEIVED').waitFor();
  });

  test('the URL of an unknown session is reported', async () => {
    await ui.page.goto(`${ui.client.world.url}/emulator#ramp/00000000-0000-4000-8000-000000000000`);
    await ui.expectMessage('No world here has the ramp session');
  });
});

test('a full page labels every control, links every section and fits the width of a phone', async () => {
  const anna = await TestUser.initialized(ui.client, ['ETH-SEPOLIA']);
  await anna.postWithKey('/user/wallets', { blockchains: ['MATIC-AMOY'] });
  await mailOtp(ui.client);
  await socialToken(ui.client);
  await sendPii(ui.client);
  await session(ui.client);
  await ui.page.setViewportSize({ width: 390, height: 800 });
  await ui.open();

  const nameless = await ui.page.evaluate<number>(
    `[...document.querySelectorAll('button, input, select, a')].filter((element) => {
      const named = element.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id));
      const byOthers = named?.every((other) => other?.textContent.trim());
      return !byOthers && !element.ariaLabel && !element.textContent.trim() && !element.labels?.length;
    }).length`,
  );
  expect(nameless).toBe(0);
  const names = await ui.page.$$eval('main button', (buttons) =>
    buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const href of await ui.page.$$eval('nav a', (links) => links.map((link) => link.getAttribute('href')!))) {
    expect(await ui.page.locator(href).count()).toBe(1);
  }
  expect(await ui.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
