import { BUY, SELL, quote, session } from '../emulator/ramp/support';
import { STRANGER } from '../emulator/chain/support';
import { sendPii, US_EXCHANGE } from '../emulator/compliance/support';
import { mailOtp, socialToken } from '../emulator/users/login';
import { PIN, Person, WRONG_PIN } from '../emulator/users/support';
import { until } from '../support/until';
import { Visit } from './page';

const visit = Visit.begin();

describe('challenges', () => {
  /** Asks a user with a PIN and a wallet for a signature. */
  async function askForSignature() {
    const anna = await Person.initialized(visit.chain, ['ETH-SEPOLIA']);
    const { data } = await anna.get('/wallets');
    const body = { walletId: data.wallets[0].id, message: 'Hello, shop' };
    const { data: asked } = await anna.ask('/user/sign/message', body);
    return { anna, challengeId: asked.challengeId as string };
  }

  test('a new user chooses PIN and security questions, which makes the wallets', async () => {
    const anna = await Person.create(visit.chain);
    const { data } = await anna.ask('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });
    await visit.open();
    await visit.section('challenges').getByText('ETH-SEPOLIA').waitFor();

    await visit.button(`Approve initialize of ${anna.id}`).click();
    await visit.fill({ 'New PIN': PIN, 'Answer 1': 'Rex', 'Answer 2': 'Hill' }, 'Approve');
    await visit.told('has approved');
    await visit.button('Move the clock on by 1 min').click();

    await visit.page.locator('#wallets').getByText(`of user ${anna.id}`).waitFor();
    expect(await anna.challenge(data.challengeId)).toMatchObject({ status: 'COMPLETE' });
    expect(await anna.user()).toMatchObject({ pinStatus: 'ENABLED', securityQuestionStatus: 'ENABLED' });
  });

  test('a wrong PIN is told with its code and counted; the right one gives a signature to be copied', async () => {
    const { anna, challengeId } = await askForSignature();
    await visit.open();
    await visit.section('challenges').getByText('Hello, shop').waitFor();

    await visit.button(/^Approve sign message/).click();
    await visit.fill({ PIN: WRONG_PIN }, 'Approve');
    await visit.dialog.getByRole('alert').getByText('155112').waitFor();
    await visit.section('users').getByText('1 wrong').waitFor();
    await visit.fill({ PIN }, 'Approve');

    const signature = visit.dialog.getByLabel('signature', { exact: true });
    expect(await signature.inputValue()).toMatch(/^0x[0-9a-f]{130}$/);
    await visit.button('Copy signature').click();
    await visit.page.keyboard.press('Escape');
    await visit.dialog.waitFor({ state: 'detached' });
    await visit.chain.settle();
    expect(await anna.challenge(challengeId)).toMatchObject({ status: 'COMPLETE' });
    visit.refusalsExpected();
  });

  test('by keyboard alone: the dialog takes the focus, Escape gives it back, Enter approves', async () => {
    await askForSignature();
    await visit.open();
    const approve = visit.button(/^Approve sign message/);
    const focused = () =>
      visit.page.evaluate<string>('document.activeElement.name || document.activeElement.innerText');

    await approve.focus();
    await visit.page.keyboard.press('Enter');
    await visit.dialog.waitFor();
    expect(await focused()).toBe('pin');
    await visit.page.keyboard.press('Escape');
    await visit.dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Approve');
    await visit.page.keyboard.press('Enter');
    await visit.dialog.waitFor();
    await visit.page.keyboard.type(PIN);
    await visit.page.keyboard.press('Enter');
    await visit.dialog.getByLabel('signature', { exact: true }).waitFor();
    await visit.page.keyboard.press('Escape');

    await visit.dialog.waitFor({ state: 'detached' });
    await until(async () => (await focused()).startsWith('Challenges waiting'), 'the heading focused');
  });

  test('is rejected, is over, or its client fails', async () => {
    const { anna, challengeId } = await askForSignature();
    const { data: other } = await anna.ask('/user/pin', {}, 'PUT');
    await visit.open();

    await visit.button(/^Client error for sign message/).click();
    await visit.fill({ Error: 'The network failed' }, 'Fail');
    await visit.told('155706: The network failed');
    await visit.button(/^Reject sign message/).click();
    await visit.told('The user has declined');
    await visit.button(/^Expire change PIN/).click();
    await visit.told('The challenge is over');

    await visit.section('challenges').getByText('Nobody is asked for anything').waitFor();
    await visit.page.getByText('155701: The user declined').waitFor();
    expect(await anna.challenge(challengeId)).toMatchObject({ status: 'FAILED', errorCode: 155701 });
    expect(await anna.challenge(other.challengeId)).toMatchObject({ status: 'EXPIRED' });
    visit.refusalsExpected();
  });

  test('of one who has logged in needs no PIN, but a user who is enabled and not locked', async () => {
    await mailOtp(visit.chain);
    await visit.open();

    await visit.button(/^Log in as/).click();
    await visit.fill({}, 'Log in');
    const userToken = await visit.dialog.getByLabel('User token', { exact: true }).inputValue();
    await visit.page.keyboard.press('Escape');
    const { data } = await visit.chain.send('GET', '/user', undefined, { 'x-user-token': userToken });
    await visit.section('mailbox').getByText('USED').waitFor();
    const anna = new Person(visit.chain, data.id, userToken, '');
    const { data: asked } = await anna.ask('/user/initialize', { blockchains: ['ETH-SEPOLIA'] });

    await visit.button(`Disable ${data.id}`).click();
    await visit.button(/^Approve initialize/).click();
    await visit.told(/155109/);
    await visit.button(`Enable ${data.id}`).click();
    await visit.button(/^Approve initialize/).click();
    await visit.told('has approved');
    await visit.chain.settle();
    expect(await anna.challenge(asked.challengeId)).toMatchObject({ status: 'COMPLETE' });
    visit.refusalsExpected();
  });
});

test('a PIN is locked and unlocked', async () => {
  const anna = await Person.initialized(visit.chain);
  await visit.open();

  await visit.button(`Lock PIN of ${anna.id}`).click();
  await visit.section('users').getByText('LOCKED').waitFor();
  expect(await anna.user()).toMatchObject({ pinStatus: 'LOCKED' });
  await visit.button(`Unlock PIN of ${anna.id}`).click();

  await visit.button(`Lock PIN of ${anna.id}`).waitFor();
  expect(await anna.user()).toMatchObject({ pinStatus: 'ENABLED' });
});

test('a user comes back from an SSO provider, whose token is good or not', async () => {
  await socialToken(visit.chain);
  await visit.open();

  await visit.button(/^Log in on device/).click();
  await visit.fill({ Outcome: "The provider's token has expired" }, 'Log in');
  await visit.dialog.getByRole('alert').getByText('155139').waitFor();
  await visit.fill({ Provider: 'Apple', Account: 'berta', Outcome: 'The provider knows the user' }, 'Log in');

  expect(await visit.dialog.getByLabel('Refresh token', { exact: true }).inputValue()).not.toBe('');
  await visit.section('users').getByText('logs in as berta at Apple').waitFor();
  visit.refusalsExpected();
});

describe('travel rule', () => {
  test('the other VASP accepts a message', async () => {
    await sendPii(visit.chain);
    await visit.chain.world.control.advance(600);
    await visit.open();

    await visit.button(/^Answer message/).click();
    await visit.fill({ 'What it does': 'Accept it', Reason: 'known customer' }, 'Do it');

    const row = visit.section('travelRule').getByRole('row').filter({ hasText: 'known customer' });
    await row.getByText('ACCEPTED').waitFor();
    const { body: list } = await visit.chain.control('GET', '/travelRule');
    expect(list.messages).toMatchObject([{ status: 'ACCEPTED', reason: 'known customer' }]);
  });

  test('a message comes in; a wrong address is told', async () => {
    await visit.open();

    await visit.button('Incoming message').click();
    await visit.fill({ Amount: '5000000000', To: 'nowhere' }, 'Send');
    await visit.dialog
      .getByRole('alert')
      .getByText(/destination/)
      .waitFor();
    await visit.fill({ To: US_EXCHANGE }, 'Send');

    await visit.section('travelRule').getByText('5000 USDC').waitFor();
    visit.refusalsExpected();
  });
});

describe('ramp', () => {
  test("a session's url leads to it, in its world; identity check, deposit and completion are played there", async () => {
    const { data } = await session(visit.chain, { fiatAmount: BUY.fiatAmount });
    await visit.page.goto(data.url);
    const row = visit.section('ramp').getByRole('row').filter({ hasText: 'Purchase' });
    await row.and(visit.page.locator('[aria-current=location]')).waitFor();
    expect(new URL(visit.page.url()).searchParams.get('world')).toBe(await visit.worldId());

    await row.getByRole('button', { name: /^Submit identity/ }).click();
    await row.getByText('identity check: submitted').waitFor();
    await row.getByRole('button', { name: /^Approve identity/ }).click();
    await row.getByText('identity check: approved').waitFor();
    await row.getByRole('button', { name: /^Deposit/ }).click();
    expect(await visit.dialog.getByLabel('Amount in USD', { exact: true }).inputValue()).toBe('1000.00');
    await visit.fill({}, 'Pay');
    await row.getByText('DEPOSIT_RECEIVED').waitFor();
    await row.getByRole('button', { name: /^Complete/ }).click();
    await visit.button('Move the clock on by 1 h').click();

    await row.getByText('COMPLETED').waitFor();
  });

  test('a sale is paid from outside, or expires', async () => {
    const { data: price } = await quote(visit.chain, SELL);
    const walletAddress = { blockchain: 'BASE-SEPOLIA', address: STRANGER };
    const country = { countryCode: 'DE' };
    const sale = { mode: 'REVIEW_SCREEN', quoteId: price.id, rampType: 'SELL', walletAddress, country };
    const { data } = await session(visit.chain, sale);
    await visit.open();

    await visit.button(`Expire: session ${data.id}`).click();
    await visit.section('ramp').getByText('EXPIRED').waitFor();
    await visit.button(`Deposit: session ${data.id}`).click();
    await visit.fill({}, 'Pay');
    await visit.button('Move the clock on by 1 h').click();

    await visit.section('ramp').getByText('DEPOSIT_RECEIVED').waitFor();
  });

  test('a session that no world has is told', async () => {
    await visit.page.goto(`${visit.chain.world.url}/emulator#ramp/00000000-0000-4000-8000-000000000000`);
    await visit.told('No world here has the ramp session');
  });
});

test('with everything on it: all is labelled, sections are linked, and a phone needs no sideways scrolling', async () => {
  const anna = await Person.initialized(visit.chain, ['ETH-SEPOLIA']);
  await anna.ask('/user/wallets', { blockchains: ['MATIC-AMOY'] });
  await mailOtp(visit.chain);
  await socialToken(visit.chain);
  await sendPii(visit.chain);
  await session(visit.chain);
  await visit.page.setViewportSize({ width: 390, height: 800 });
  await visit.open();

  const nameless = await visit.page.evaluate<number>(
    `[...document.querySelectorAll('button, input, select, a')].filter((element) => {
      const named = element.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id));
      const byOthers = named?.every((other) => other?.textContent.trim());
      return !byOthers && !element.ariaLabel && !element.textContent.trim() && !element.labels?.length;
    }).length`,
  );
  expect(nameless).toBe(0);
  const names = await visit.page.$$eval('main button', (buttons) =>
    buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const href of await visit.page.$$eval('nav a', (links) => links.map((link) => link.getAttribute('href')!))) {
    expect(await visit.page.locator(href).count()).toBe(1);
  }
  expect(await visit.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});
