import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLS } from '../../../src/emulator/control';
import { closeOwnEmulator } from '../../support/emulator';
import type { Receiver } from '../../support/receiver';
import { Chain, token } from '../chain/support';
import { sendPii, update } from '../compliance/support';
import { session } from '../ramp/support';
import { EmailLogin, socialToken } from '../users/login';
import { Person, PIN } from '../users/support';

const RECEIVERS: Receiver[] = [];

afterAll(async () => {
  for (const receiver of RECEIVERS) receiver.close();
  await closeOwnEmulator();
});

const DOCS = readFileSync(join(__dirname, '../../../docs/emulator.md'), 'utf8');
/** `control METHOD PATH BODY`, quoted for a shell. */
const LINES = [...DOCS.matchAll(/^control ([A-Z]+) (\S+|'[^']*'|"[^"]*")(?: (.+))?$/gm)].map((match) => {
  const [line, method = '', path = '', body] = match;
  return { line, method, path: unquoted(path), body: body === undefined ? undefined : unquoted(body) };
});

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1) : text.replaceAll("'", '');
}

/** Answers with an error on purpose: what the client's SDK would say. */
const REFUSED = { 'POST /challenges/{id}/client-error': 155706 } as Record<string, number>;

const nameOf = (method: string, path: string) =>
  Object.keys(CONTROLS)
    .sort((one, two) => one.split('{').length - two.split('{').length)
    .find((name) => new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path.split('?')[0]}`));

const HOOK = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;

/** What a name in the document stands for, new each time. */
class Things {
  #login: EmailLogin | undefined;

  constructor(readonly chain: Chain) {}

  async id(method: string, path: string, body?: object): Promise<string> {
    const answer = await this.chain.control(method, path, body);
    return answer.body.id as string;
  }

  async burn(body: object): Promise<{ id: string; txHash: string }> {
    const route = { sourceDomain: 0, destinationDomain: 6, amount: '100000000' };
    const recipient = { mintRecipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', maxFee: '5000000' };
    const { body: made } = await this.chain.control('POST', '/burns', { ...route, ...recipient, ...body });
    await this.chain.settle();
    return made;
  }

  async attested(): Promise<{ message: string; attestation: string }> {
    const { txHash } = await this.burn({ minFinalityThreshold: 1000 });
    const path = `${this.chain.world.url}/v2/messages/0?transactionHash=${txHash}`;
    return (await this.chain.get(path)).body.messages[0];
  }

  incoming(): Promise<string> {
    const money = { customerJurisdiction: 'US', asset: 'USDC', amount: '5000000000' };
    const destination = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    return this.id('POST', '/travelRule/incoming', { ...money, destination });
  }

  async login(): Promise<EmailLogin> {
    return (this.#login ??= await EmailLogin.begin(this.chain));
  }

  async transaction(): Promise<string> {
    const { data } = await this.chain.transfer(await this.chain.funded());
    return data.id as string;
  }
}

const THINGS: Record<string, (things: Things) => Promise<string>> = {
  ENTITY_SECRET: async ({ chain }) => chain.world.entitySecret,
  CIPHERTEXT: async ({ chain }) => (await chain.ciphertext()).entitySecretCiphertext,
  NEW_CIPHERTEXT: async ({ chain }) => (await chain.ciphertext()).entitySecretCiphertext,
  RECOVERY_FILE: async ({ chain }) => {
    const { entitySecret } = chain.world;
    return (await chain.control('PUT', '/entitySecret', { entitySecret })).body.recoveryFile;
  },
  FAULT: (things) => things.id('POST', '/faults', { operation: 'createTransfer', count: 1, action: { status: 500 } }),
  WEBHOOK_FAULT: (things) => things.id('POST', '/webhooks/faults', { action: 'lose', count: 1 }),
  WALLET: async ({ chain }) => (await chain.funded()).id,
  SCA_WALLET: async ({ chain }) => (await chain.wallet('ETH-SEPOLIA', 'SCA')).id,
  WALLET_SET: async ({ chain }) => (await chain.wallet()).walletSetId,
  TOKEN: async () => token('ETH-SEPOLIA', 'USDC'),
  TRANSACTION: (things) => things.transaction(),
  CONFIRMED: async (things) => {
    const id = await things.transaction();
    for (let n = 0; n < 600 && (await things.chain.transaction(id)).state !== 'CONFIRMED'; n += 1) {
      await things.chain.world.control.advance(1_000);
    }
    return id;
  },
  CHALLENGE: async ({ chain }) => (await (await Person.create(chain)).ask('/user/pin')).data.challengeId,
  USER_ID: async ({ chain }) => (await Person.initialized(chain)).id,
  PIN_USER_ID: async ({ chain }) => {
    const person = await Person.create(chain);
    const { data } = await person.ask('/user/pin');
    await person.approve(data.challengeId, { newPin: PIN });
    return person.id;
  },
  DEVICE_TOKEN: async (things) => (await things.login()).deviceToken,
  OTP_TOKEN: async (things) => (await things.login()).otpToken,
  OTP: async (things) => (await things.login()).otp(),
  SOCIAL_DEVICE_TOKEN: async ({ chain }) => (await socialToken(chain)).data.deviceToken,
  MESSAGE: async ({ chain }) => {
    const { body } = await sendPii(chain);
    await chain.world.control.advance(500);
    return body.travelRuleId;
  },
  INCOMING: (things) => things.incoming(),
  INCOMPLETE: async (things) => {
    const id = await things.incoming();
    await update(things.chain, id, { status: 'INCOMPLETE' });
    return id;
  },
  VASP: (things) => things.id('POST', '/travelRule/vasps', { name: 'An exchange', jurisdiction: 'FR' }),
  SESSION: async ({ chain }) => (await session(chain)).data.id,
  PAID_SESSION: async (things) => {
    const id = await THINGS['SESSION']!(things);
    await things.chain.control('POST', `/ramp/sessions/${id}/deposit`, { amount: '1000.00' });
    return id;
  },
  BURN: async (things) => (await things.burn({})).id,
  FAST_BURN: async (things) => (await things.burn({ minFinalityThreshold: 1000 })).id,
  FORWARDED_BURN: async (things) => {
    const { body } = await things.chain.control('POST', '/burns', { ...FORWARDED, attestAfterMs: 1 });
    await things.chain.world.control.advance(3_000);
    return body.id;
  },
  BURN_MESSAGE: async (things) => (await things.attested()).message,
  ATTESTATION: async (things) => (await things.attested()).attestation,
  DELIVERY: async ({ chain }) => {
    RECEIVERS.push(await chain.subscribe());
    await chain.control('POST', '/webhooks', { notificationType: 'rampSession.failed', notification: {} });
    await chain.world.control.advance(1_000);
    const { deliveries } = (await chain.control('GET', '/webhooks/deliveries')).body;
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

test('every example does what it says', async () => {
  const failed: object[] = [];
  await Promise.all(
    LINES.map(async ({ line, method, path, body }) => {
      const things = new Things(await Chain.open());
      const fill = async (text: string) => {
        let filled = text;
        for (const [name, key = ''] of text.matchAll(/\$([A-Z_]+)/g)) {
          filled = filled.replace(name, await THINGS[key]!(things));
        }
        return filled;
      };
      try {
        const given = body === undefined ? undefined : (JSON.parse(await fill(body)) as object);
        const answer = await things.chain.control(method, await fill(path), given);
        const wanted = REFUSED[nameOf(method, path) ?? ''];
        const fine = wanted === undefined ? answer.status < 300 : answer.code === wanted;
        if (!fine) failed.push({ line, status: answer.status, body: answer.body });
      } catch (error) {
        failed.push({ line, error: String(error) });
      }
    }),
  );
  expect(failed).toEqual([]);
});
