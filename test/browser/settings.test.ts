import { settingsSchema, type Settings } from '../../src/emulator/settings';
import { Visit } from './page';

const visit = Visit.begin();

const inWorld = async () => (await visit.chain.control('GET', '/settings')).body as Settings;

type Role = 'switch' | 'textbox' | 'combobox';

/** The input of a setting, by the setting's own name and what follows it. */
const input = (role: Role, name: string) => visit.section('settings').getByRole(role, { name, exact: true });

test('every setting is there with its meaning, each kind can be changed, and each goes back to its default', async () => {
  await visit.open();
  const settings = visit.section('settings');

  for (const name of Object.keys(settingsSchema.shape)) await settings.getByText(name, { exact: true }).waitFor();
  await input('combobox', 'smtp').selectOption('missing');
  await visit.told('smtp is changed');
  await input('switch', 'rampQuotes').click();
  await visit.told('rampQuotes is changed');
  await input('textbox', 'maxFeeNative').fill('0.25');
  await input('textbox', 'maxFeeNative').press('Enter');
  await visit.told('maxFeeNative is changed');
  await input('textbox', 'challengeLifetimeMs').fill('');
  await input('textbox', 'challengeLifetimeMs').press('Tab');
  await visit.told('challengeLifetimeMs is changed');
  await input('textbox', 'latency meanMs').fill('5');
  await input('textbox', 'latency meanMs').press('Enter');
  await visit.told('latency is changed');
  await settings.getByRole('checkbox', { name: 'Facebook' }).click();
  await visit.told('ssoProviders is changed');
  await settings.getByText('as it is everywhere').first().click();
  await input('combobox', 'eip1559 AVAX-FUJI').selectOption('false');
  await settings.getByText('AVAX-FUJI: false').waitFor();

  const changed = {
    smtp: 'missing',
    rampQuotes: false,
    maxFeeNative: '0.25',
    challengeLifetimeMs: null,
    latency: { meanMs: 5, jitterMs: 0 },
    ssoProviders: ['Google', 'Apple'],
    eip1559: { 'AVAX-FUJI': false },
  };
  expect(await inWorld()).toMatchObject(changed);
  for (const name of Object.keys(changed)) {
    await visit.button(`Default of ${name}`).click();
    await visit.button(`Default of ${name}`).waitFor({ state: 'detached' });
  }
  expect(await inWorld()).toEqual({ ...settingsSchema.parse({}), limits: false });
});

test('what is refused stays as it was entered, with the reason', async () => {
  await visit.open();

  await input('textbox', 'maxFeeNative').fill('a lot');
  await input('textbox', 'maxFeeNative').press('Enter');
  await visit.section('settings').getByRole('alert').getByText('a decimal string is needed').waitFor();

  expect(await input('textbox', 'maxFeeNative').inputValue()).toBe('a lot');
  expect(await inWorld()).toMatchObject({ maxFeeNative: '1' });
  visit.refusalsExpected();
});

test('by keyboard alone; what another changes is shown, but not under the hands of who is writing', async () => {
  await visit.open();

  await input('switch', 'limits').focus();
  await visit.page.keyboard.press('Space');
  await visit.told('limits is changed');
  expect(await inWorld()).toMatchObject({ limits: true });

  await input('textbox', 'appId').focus();
  await visit.page.keyboard.press('ControlOrMeta+A');
  await visit.page.keyboard.type('half an i');
  await visit.chain.control('PATCH', '/settings', { appId: 'another', rampMarkup: 25 });
  await visit.button('Default of rampMarkup').waitFor();
  expect(await input('textbox', 'rampMarkup').inputValue()).toBe('25');
  await visit.page.keyboard.type('d');
  await visit.page.keyboard.press('Enter');
  await visit.told('appId is changed');
  expect(await inWorld()).toMatchObject({ appId: 'half an id', rampMarkup: 25 });
});

test('on a phone nothing is wider than the screen, all unfolded', async () => {
  await visit.page.setViewportSize({ width: 390, height: 800 });
  await visit.open();
  for (const folded of await visit.section('settings').locator('summary').all()) await folded.click();
  await input('combobox', 'paymasterPolicies MONAD-TESTNET').selectOption({ label: 'PAYMASTER_ENTITY_RESTRICTION' });
  await visit.told('paymasterPolicies is changed');

  expect(await visit.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await inWorld()).toMatchObject({ paymasterPolicies: { 'MONAD-TESTNET': 'PAYMASTER_ENTITY_RESTRICTION' } });
});
