import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../../../src/emulator/control';
import { closeOwnEmulator } from '../../support/emulator';
import type { Receiver } from '../../support/receiver';
import { TestClient, token } from '../chain/support';
import { sendPii, update } from '../compliance/support';
import { session } from '../ramp/support';
import { EmailLogin, socialToken } from '../users/login';
import { PIN, TestUser } from '../users/support';

const RECEIVERS: Receiver[] = [];

afterAll(async () => {
  for (const receiver of RECEIVERS) receiver.close();
  await closeOwnEmulator();
});

const DOCS = readFileSync(join(__dirname, '../../../docs/emulator.md'), 'utf8');
/** Lines of the form `control METHOD PATH BODY`, quoted for a shell. */
const LINES = [...DOCS.matchAll(/^control ([A-Z]+) (\S+|'[^']*'|"[^"]*")(?: (.+))?$/gm)].map((match) => {
  const [line, method = '', path = '', body] = match;
  return { line, method, path: unquoted(path), body: body === undefined ? undefined : unquoted(body) };
});

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text.replaceAll("'", '');
}

/** Controls that return an error code on purpose, as the client's SDK does. */
const ERROR_CODES = { 'POST /challenges/{id}/client-error': 155706 } as Record<string, number>;

const nameOf = (method: string, path: string) =>
  Object.keys(CONTROLS)
    .sort((one, two) => one.split('{').length - two.split('{').length)
    .find((name) => new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path.split('?')[0]}`));

const HOOK = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;

/** Creates the values for placeholders in the document, new for each example. */
class Fixtures {
  #login: EmailLogin | undefined;

  constructor(readonly client: TestClient) {}

  async id(method: string, path: string, body?: object): Promise<string> {
    const response = await this.client.control(method, path, body);
    return response.body.id as string;
  }

  async burn(body: object): Promise<{ id: string; txHash: string }> {
    const route = { sourceDomain: 0, destinationDomain: 6, amount: '100000000' };
    const recipient = { mintRecipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', maxFee: '5000000' };
    const { body: created } = await this.client.control('POST', '/burns', { ...route, ...recipient, ...body });
    await this.client.settle();
    return created;
  }

  async attested(): Promise<{ message: string; attestation: string }> {
    const { txHash } = await this.burn({ minFinalityThreshold: 1000 });
    const path = `${this.client.world.url}/v2/messages/0?transactionHash=${txHash}`;
    return (await this.client.get(path)).body.messages[0];
  }

  incoming(): Promise<string> {
    const money = { customerJurisdiction: 'US', asset: 'USDC', amount: '5000000000' };
    const destination = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    return this.id('POST', '/travelRule/incoming', { ...money, destination });
  }

  async login(): Promise<EmailLogin> {
    return (this.#login ??= await EmailLogin.begin(this.client));
  }

  async transaction(): Promise<string> {
    const { data } = await this.client.transfer(await this.client.fundedWallet());
    return data.id as string;
  }
}

const PLACEHOLDERS: Record<string, (fixtures: Fixtures) => Promise<string>> = {
  ENTITY_SECRET: async ({ client }) => client.world.entitySecret,
  CIPHERTEXT: async ({ client }) => (await client.ciphertext()).entitySecretCiphertext,
  NEW_CIPHERTEXT: async ({ client }) => (await client.ciphertext()).entitySecretCiphertext,
  RECOVERY_FILE: async ({ client }) => {
    const { entitySecret } = client.world;
    return (await client.control('PUT', '/entitySecret', { entitySecret })).body.recoveryFile;
  },
  FAULT: (fixtures) =>
    fixtures.id('POST', '/faults', { operation: 'createTransfer', count: 1, action: { status: 500 } }),
  WEBHOOK_FAULT: (fixtures) => fixtures.id('POST', '/webhooks/faults', { action: 'lose', count: 1 }),
  WALLET: async ({ client }) => (await client.fundedWallet()).id,
  SCA_WALLET: async ({ client }) => (await client.wallet('ETH-SEPOLIA', 'SCA')).id,
  WALLET_SET: async ({ client }) => (await client.wallet()).walletSetId,
  TOKEN: async () => token('ETH-SEPOLIA', 'USDC'),
  TRANSACTION: (fixtures) => fixtures.transaction(),
  CONFIRMED: async (fixtures) => {
    const id = await fixtures.transaction();
    for (let n = 0; n < 600 && (await fixtures.client.transaction(id)).state !== 'CONFIRMED'; n += 1) {
      await fixtures.client.world.control.advance(1_000);
    }
    return id;
  },
  CHALLENGE: async ({ client }) => (await (await TestUser.create(client)).postWithKey('/user/pin')).data.challengeId,
  USER_ID: async ({ client }) => (await TestUser.initialized(client)).id,
  PIN_USER_ID: async ({ client }) => {
    const user = await TestUser.create(client);
    const { data } = await user.postWithKey('/user/pin');
    await user.approve(data.challengeId, { newPin: PIN });
    return user.id;
  },
  DEVICE_TOKEN: async (fixtures) => (await fixtures.login()).deviceToken,
  OTP_TOKEN: async (fixtures) => (await fixtures.login()).otpToken,
  OTP: async (fixtures) => (await fixtures.login()).otp(),
  SOCIAL_DEVICE_TOKEN: async ({ client }) => (await socialToken(client)).data.deviceToken,
  MESSAGE: async ({ client }) => {
    const { body } = await sendPii(client);
    await client.world.control.advance(500);
    return body.travelRuleId;
  },
  INCOMING: (fixtures) => fixtures.incoming(),
  INCOMPLETE: async (fixtures) => {
    const id = await fixtures.incoming();
    await update(fixtures.client, id, { status: 'INCOMPLETE' });
    return id;
  },
  VASP: (fixtures) => fixtures.id('POST', '/travelRule/vasps', { name: 'An exchange', jurisdiction: 'FR' }),
  SESSION: async ({ client }) => (await session(client)).data.id,
  PAID_SESSION: async (fixtures) => {
    const id = await PLACEHOLDERS['SESSION']!(fixtures);
    await fixtures.client.control('POST', `/ramp/sessions/${id}/deposit`, { amount: '1000.00' });
    return id;
  },
  BURN: async (fixtures) => (await fixtures.burn({})).id,
  FAST_BURN: async (fixtures) => (await fixtures.burn({ minFinalityThreshold: 1000 })).id,
  FORWARDED_BURN: async (fixtures) => {
    const { body } = await fixtures.client.control('POST', '/burns', { ...FORWARDED, attestAfterMs: 1 });
    await fixtures.client.world.control.advance(3_000);
    return body.id;
  },
  BURN_MESSAGE: async (fixtures) => (await fixtures.attested()).message,
  ATTESTATION: async (fixtures) => (await fixtures.attested()).attestation,
  DELIVERY: async ({ client }) => {
    RECEIVERS.push(await client.subscribe());
    await client.control('POST', '/webhooks', { notificationType: 'rampSession.failed', notification: {} });
    await client.world.control.advance(1_000);
    const { deliveries } = (await client.control('GET', '/webhooks/deliveries')).body;
    return deliveries.at(-1).notificationId;
  },
};

const FORWARDED = {
  sourceDomain: 0,
  destinationDomain: 6,
  amount: '100000000',
  mintRecipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  maxFee: '5000000',
  hookData: HOOK,
};

test('every control has an example in docs/emulator.md', () => {
  const shown = new Set(LINES.map(({ method, path }) => nameOf(method, path)));
  expect(shown).toEqual(new Set(Object.keys(CONTROLS)));
});

test('every example in docs/emulator.md succeeds', async () => {
  const failed: object[] = [];
  await Promise.all(
    LINES.map(async ({ line, method, path, body }) => {
      const fixtures = new Fixtures(await TestClient.open());
      const fill = async (text: string) => {
        let filled = text;
        for (const [name, key = ''] of text.matchAll(/\$([A-Z_]+)/g)) {
          filled = filled.replace(name, await PLACEHOLDERS[key]!(fixtures));
        }
        return filled;
      };
      try {
        const parsedBody = body === undefined ? undefined : (JSON.parse(await fill(body)) as object);
        const response = await fixtures.client.control(method, await fill(path), parsedBody);
        const expectedCode = ERROR_CODES[nameOf(method, path) ?? ''];
        const succeeded = expectedCode === undefined ? response.status < 300 : response.code === expectedCode;
        if (!succeeded) failed.push({ line, status: response.status, body: response.body });
      } catch (error) {
        failed.push({ line, error: String(error) });
      }
    }),
  );
  expect(failed).toEqual([]);
});
