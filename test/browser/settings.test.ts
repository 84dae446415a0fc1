import { type Settings, settingsSchema } from '../../src/emulator/settings';
import { PageSession } from './pageSession';

const ui = PageSession.begin();

const worldSettings = async () => (await ui.client.control('GET', '/settings')).body as Settings;

type Role = 'switch' | 'textbox' | 'combobox';

/** The input of a setting, by its name and, for one of several inputs, its key. */
const input = (role: Role, name: string) => ui.section('settings').getByRole(role, { name, exact: true });

test('every setting is shown, each kind can be changed and reset to its default', async () => {
  await ui.open();
  const settings = ui.section('settings');

  for (const name of Object.keys(settingsSchema.shape)) await settings.getByText(name, { exact: true }).waitFor();
  await input('combobox', 'smtp').selectOption('missing');
  await ui.expectMessage('smtp changed');
  await input('switch', 'rampQuotes').click();
  await ui.expectMessage('rampQuotes changed');
  await input('textbox', 'maxFeeNative').fill('0.25');
  await input('textbox', 'maxFeeNative').press('Enter');
  await ui.expectMessage('maxFeeNative changed');
  await input('textbox', 'challengeLifetimeMs').fill('');
  await input('textbox', 'challengeLifetimeMs').press('Tab');
  await ui.expectMessage('challengeLifetimeMs changed');
  await input('textbox', 'latency meanMs').fill('5');
  await input('textbox', 'latency meanMs').press('Enter');
  await ui.expectMessage('latency changed');
  await settings.getByRole('checkbox', { name: 'Facebook' }).click();
  await ui.expectMessage('ssoProviders changed');
  await settings.getByText('default for all').first().click();
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
  expect(await worldSettings()).toMatchObject(changed);
  for (const name of Object.keys(changed)) {
    await ui.button(`Reset ${name} to its default`).click();
    await ui.button(`Reset ${name} to its default`).waitFor({ state: 'detached' });
  }
  expect(await worldSettings()).toEqual({ ...settingsSchema.parse({}), limits: false });
});

test('a rejected value stays in its input, with the reason', async () => {
  await ui.open();

  await input('textbox', 'maxFeeNative').fill('a lot');
  await input('textbox', 'maxFeeNative').press('Enter');
  await ui.section('settings').getByRole('alert').getByText('must be a decimal string').waitFor();

  expect(await input('textbox', 'maxFeeNative').inputValue()).toBe('a lot');
  expect(await worldSettings()).toMatchObject({ maxFeeNative: '1' });
  ui.ignoreRequestErrors();
});

test('settings can be changed by keyboard, and changes by others do not overwrite an input that has the focus', async () => {
  await ui.open();

  await input('switch', 'limits').focus();
  await ui.page.keyboard.press('Space');
  await ui.expectMessage('limits changed');
  expect(await worldSettings()).toMatchObject({ limits: true });

  await input('textbox', 'appId').focus();
  await ui.page.keyboard.press('ControlOrMeta+A');
  await ui.page.keyboard.type('half an i');
  await ui.client.control('PATCH', '/settings', { appId: 'another', rampMarkup: 25 });
  await ui.button('Reset rampMarkup to its default').waitFor();
  expect(await input('textbox', 'rampMarkup').inputValue()).toBe('25');
  await ui.page.keyboard.type('d');
  await ui.page.keyboard.press('Enter');
  await ui.expectMessage('appId changed');
  expect(await worldSettings()).toMatchObject({ appId: 'half an id', rampMarkup: 25 });
});

test('the unfolded settings fit the width of a phone', async () => {
  await ui.page.setViewportSize({ width: 390, height: 800 });
  await ui.open();
  for (const folded of await ui.section('settings').locator('summary').all()) await folded.click();
  await input('combobox', 'paymasterPolicies MONAD-TESTNET').selectOption({ label: 'PAYMASTER_ENTITY_RESTRICTION' });
  await ui.expectMessage('paymasterPolicies changed');

  expect(await ui.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await worldSettings()).toMatchObject({
    paymasterPolicies: { 'MONAD-TESTNET': 'PAYMASTER_ENTITY_RESTRICTION' },
  });
});
