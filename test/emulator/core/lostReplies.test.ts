import { randomUUID } from 'node:crypto';
import { type Api, ApiError, createApi, createDispatcher } from '../../../src/api';
import { CALLER_LOOK_UPS, type CallerLookUp, type CallerOperation } from '../../../src/api/callerLookUps';
import { findEndpoint } from '../../../src/api/contract';
import { subscribeWebhooks } from '../../../src/gateway/subscription';
import { SUBSCRIBED_TYPES } from '../../../src/gateway/routes';
import { closeOwnEmulator } from '../../support/emulator';
import { distinct } from '../../support/journal';
import { type Effect, imported, KEYED_REQUESTS, newContract, type Prepare } from '../../support/keyedRequests';
import { Receiver } from '../../support/receiver';
import { STRANGER, TestClient } from '../chain/support';
import { importContract, monitor, TRANSFER } from '../contracts/support';
import { ciphertext } from './support';

/**
 * Operations that no flow calls, with the typed client: the API executes the request, and the reply is lost. The caller sends
 * the same request again, and then looks, as docs/exactly-once.md says. The effect exists once.
 */

const CHAIN = 'ETH-SEPOLIA';
const LISTED = { pageSize: 50 };

interface Case {
  /** A valid request, with the natural key of the row if it has one. */
  prepare: Prepare;
  /** Looks as the row says. @returns ids of what the request has made or changed; of a deletion, what is left */
  find(api: Api, effect: Effect): Promise<string[]>;
  /** What the caller does instead of sending the request again. */
  instead?(api: Api, effect: Effect): Promise<unknown>;
}

/** Adds fields to the body of a prepared request. */
const adding =
  (prepare: Prepare, more: () => object): Prepare =>
  async (client) => {
    const effect = await prepare(client);
    return { ...effect, body: { ...effect.body, ...more() } };
  };
const withRefId = (prepare: Prepare) => adding(prepare, () => ({ refId: randomUUID() }));
const fieldOf = ({ body }: Effect, field: string) => (body as Record<string, string>)[field]!;
const lastOf = ({ path }: Effect) => path.split('/').at(-1)!;
const idsOf = (rows: readonly { id: string }[] = []) => rows.map(({ id }) => id);

async function findTransaction(api: Api, effect: Effect): Promise<string[]> {
  const query = { walletIds: fieldOf(effect, 'walletId'), txType: 'OUTBOUND', includeAll: true, ...LISTED } as const;
  const { transactions = [] } = (await api.listTransactions({ query })).data;
  return idsOf(transactions.filter(({ refId }) => refId === fieldOf(effect, 'refId')));
}

const findChallenge =
  (type: string): Case['find'] =>
  async (api, { user }) => {
    const { challenges } = (await api.listUserChallenges({}, { userToken: user!.token })).data;
    return idsOf(challenges?.filter((challenge) => challenge.type === type));
  };

async function findMessages(api: Api, matches: (message: { id: string; refId?: string; txHash?: string }) => boolean) {
  const body = { customerJurisdiction: 'US', transactionType: 'OUTBOUND', ...LISTED } as const;
  const answer = await api.listTravelRuleMessages({ body });
  const { messages } = 'data' in answer ? answer.data : answer;
  return idsOf(messages.filter(matches));
}

const findMonitors = async (api: Api, matches: (row: { id: string; isEnabled: boolean }) => boolean) =>
  idsOf((await api.listEventMonitors({ query: LISTED })).data.eventMonitors.filter(matches));

const findDerived = async (api: Api, address: string) =>
  idsOf((await api.listDeveloperWallets({ query: { address, blockchain: 'BASE-SEPOLIA' } })).data.wallets);

/** A monitor of a new contract. @returns its id */
async function makeMonitor(client: TestClient): Promise<string> {
  const [contractAddress] = await imported(client);
  return (await monitor(client, { contractAddress })).data.eventMonitor.id;
}

const receivers: Receiver[] = [];
async function newEndpoint(): Promise<string> {
  const receiver = await Receiver.open();
  receivers.push(receiver);
  return receiver.url;
}

afterAll(async () => {
  for (const receiver of receivers) receiver.close();
  await closeOwnEmulator();
});

const CASES: Readonly<Record<CallerOperation, Case>> = {
  registerEntitySecret: {
    async prepare({ world }) {
      await world.control.setEntitySecret(null);
      return { path: '/config/entity/entitySecret', body: { entitySecretCiphertext: await ciphertext(world) } };
    },
    find: () => Promise.resolve([]),
    async instead(api, { body }) {
      await expect(api.registerEntitySecret({ body: body as never })).rejects.toMatchObject({ code: 156015 });
      // The secret is the one that the lost reply was about.
      return api.createWalletSet({ body: { idempotencyKey: randomUUID() } });
    },
  },
  createWalletSet: {
    prepare: adding(KEYED_REQUESTS.createWalletSet, () => ({ id: randomUUID() })),
    find: async (api, effect) =>
      idsOf([(await api.getWalletSet({ params: { id: fieldOf(effect, 'id') } })).data.walletSet]),
  },
  createWallets: {
    prepare: adding(KEYED_REQUESTS.createWallets, () => ({ metadata: [{ refId: randomUUID() }] })),
    async find(api, { body }) {
      const { walletSetId, metadata } = body as { walletSetId: string; metadata: [{ refId: string }] };
      const query = { walletSetId, refId: metadata[0].refId };
      return idsOf((await api.listDeveloperWallets({ query })).data.wallets);
    },
  },
  deriveWallet: {
    async prepare(client) {
      const { id, address } = await client.wallet(CHAIN);
      const path = `/developer/wallets/${id}/blockchains/BASE-SEPOLIA`;
      return { method: 'PUT', path, body: { metadata: { name: address } } };
    },
    find: (api, { body }) => findDerived(api, (body as { metadata: { name: string } }).metadata.name),
  },
  deriveWalletByAddress: {
    async prepare(client) {
      const { address: walletAddress } = await client.wallet(CHAIN);
      const body = { sourceBlockchain: CHAIN, walletAddress, targetBlockchain: 'BASE-SEPOLIA' };
      return { method: 'PUT', path: '/developer/wallets/derive', body };
    },
    find: (api, effect) => findDerived(api, fieldOf(effect, 'walletAddress')),
  },
  createWalletUpgrade: { prepare: withRefId(KEYED_REQUESTS.createWalletUpgrade), find: findTransaction },
  createUserWalletUpgrade: {
    prepare: KEYED_REQUESTS.createUserWalletUpgrade,
    find: findChallenge('WALLET_UPGRADE'),
  },
  screenAddress: { prepare: KEYED_REQUESTS.screenAddress, find: () => Promise.resolve([]) },
  sendPii: {
    prepare: withRefId(KEYED_REQUESTS.sendPii),
    find: (api, effect) => findMessages(api, ({ refId }) => refId === fieldOf(effect, 'refId')),
  },
  uploadOwnershipProof: { prepare: KEYED_REQUESTS.uploadOwnershipProof, find: () => Promise.resolve([]) },
  updateTravelRuleMessage: {
    prepare: KEYED_REQUESTS.updateTravelRuleMessage,
    find: (api, effect) =>
      findMessages(api, ({ id, txHash }) => id === lastOf(effect) && txHash === fieldOf(effect, 'txHash')),
  },
  createSubscription: {
    async prepare() {
      const body = { endpoint: await newEndpoint(), notificationTypes: [...SUBSCRIBED_TYPES] };
      return { path: '/v2/notifications/subscriptions', body };
    },
    find: async (api, effect) =>
      idsOf((await api.listSubscriptions()).data.filter(({ endpoint }) => endpoint === fieldOf(effect, 'endpoint'))),
    instead: async (api, effect) => expect(await subscribeWebhooks(api, fieldOf(effect, 'endpoint'))).toBe('unchanged'),
  },
  deleteSubscription: {
    async prepare(client) {
      const url = `${client.world.url}/v2/notifications/subscriptions`;
      const { data } = await client.send('POST', url, { endpoint: await newEndpoint() });
      return { method: 'DELETE', path: `/v2/notifications/subscriptions/${data.id}` };
    },
    find: async (api, effect) => idsOf((await api.listSubscriptions()).data.filter(({ id }) => id === lastOf(effect))),
  },
  createRampSession: {
    async prepare() {
      const walletAddress = { blockchain: CHAIN, address: STRANGER };
      const country = { countryCode: 'US', subdivisionCode: 'CA' };
      const body = { mode: 'QUOTE_SCREEN', rampType: 'BUY', walletAddress, country, refId: randomUUID() };
      return { path: '/ramp/sessions', body };
    },
    find: async (api, effect) =>
      idsOf((await api.listRampSessions({ query: { refId: fieldOf(effect, 'refId') } })).data),
  },
  requestReattestation: {
    async prepare({ world }) {
      const burn = {
        sourceDomain: 0,
        destinationDomain: 6,
        amount: '100000000',
        mintRecipient: STRANGER,
        minFinalityThreshold: 1000,
        maxFee: '50000',
      };
      const { nonce } = await world.control.call<{ nonce: string }>('POST', '/burns', burn);
      await world.control.advance(20_000);
      return { path: `/v2/reattest/${nonce}` };
    },
    async find(api, effect) {
      const query = { nonce: lastOf(effect) };
      const { messages } = await api.getAttestationMessages({ params: { sourceDomainId: '0' }, query });
      return messages.map(({ eventNonce }) => String(eventNonce));
    },
  },
  importContract: {
    prepare: KEYED_REQUESTS.importContract,
    async find(api, effect) {
      const { contracts } = (await api.listContracts({ query: { blockchain: CHAIN, ...LISTED } })).data;
      const address = fieldOf(effect, 'address').toLowerCase();
      return idsOf(contracts.filter(({ contractAddress }) => contractAddress?.toLowerCase() === address));
    },
  },
  deployContract: { prepare: withRefId(KEYED_REQUESTS.deployContract), find: findTransaction },
  updateContract: {
    async prepare(client) {
      const address = await newContract(client);
      const { id } = (await importContract(client, { address, name: 'before' })).data.contract;
      return { method: 'PATCH', path: `/contracts/${id}`, body: { name: 'after' } };
    },
    async find(api, effect) {
      const { contract } = (await api.getContract({ params: { id: lastOf(effect) } })).data;
      return idsOf([contract].filter(({ name }) => name === 'after'));
    },
  },
  deployContractTemplate: { prepare: withRefId(KEYED_REQUESTS.deployContractTemplate), find: findTransaction },
  createEventMonitor: {
    prepare: KEYED_REQUESTS.createEventMonitor,
    async find(api, effect) {
      const contractAddress = fieldOf(effect, 'contractAddress');
      const query = { contractAddress, blockchain: CHAIN, eventSignature: TRANSFER } as const;
      return idsOf((await api.listEventMonitors({ query })).data.eventMonitors);
    },
  },
  updateEventMonitor: {
    prepare: async (client) => ({
      method: 'PUT',
      path: `/contracts/monitors/${await makeMonitor(client)}`,
      body: { isEnabled: false },
    }),
    find: (api, effect) => findMonitors(api, ({ id, isEnabled }) => id === lastOf(effect) && !isEnabled),
  },
  deleteEventMonitor: {
    prepare: async (client) => ({ method: 'DELETE', path: `/contracts/monitors/${await makeMonitor(client)}` }),
    find: (api, effect) => findMonitors(api, ({ id }) => id === lastOf(effect)),
  },
};

/** Sends a prepared request with the typed client. */
async function send(api: Api, operation: CallerOperation, effect: Effect, idempotencyKey: string): Promise<unknown> {
  const { idempotency, path } = findEndpoint(operation);
  const body = idempotency === 'key' ? { ...effect.body, idempotencyKey } : effect.body;
  const request = { params: paramsOf(path, effect.path), ...(body && { body }) };
  const call = api[operation] as unknown as (request: object, options: object) => Promise<unknown>;
  return call(request, effect.user ? { userToken: effect.user.token } : {});
}

/** `/contracts/{id}`, `/contracts/7` → `{ id: '7' }` */
function paramsOf(template: string, path: string): Record<string, string> {
  const values = path.split('/');
  const names = template.split('/').map((part) => /^\{(\w+)\}$/.exec(part)?.[1]);
  return Object.fromEntries(names.flatMap((name, index) => (name ? [[name, values[index]!]] : [])));
}

describe.each(['reject', 'replay'] as const)('a lost reply, idempotency mode %s', (idempotency) => {
  let client: TestClient;
  let api: Api;
  const dispatcher = createDispatcher({ offline: true });

  beforeAll(async () => {
    client = await TestClient.open({ scaCore: 'circle_6900_singleowner_v1', idempotency });
    const { apiKey, entitySecret, url, control } = client.world;
    const hosts = { api: url, attestation: await control.attestationHost() };
    api = createApi({ name: 'emulator', kind: 'test', apiKey, entitySecret, hosts }, { dispatcher });
  });
  afterAll(() => dispatcher.close());

  test.each(Object.keys(CASES) as CallerOperation[])('of %s: the effect exists once', async (operation) => {
    const { prepare, find, instead }: Case = CASES[operation];
    const { repeated, reads }: CallerLookUp = CALLER_LOOK_UPS[operation];
    const { control } = client.world;
    const effect = await prepare(client);
    const idempotencyKey = randomUUID();
    const again = () => send(api, operation, effect, idempotencyKey);
    await control.clearFaults();
    await control.addFault({ operation, count: 1, action: { drop: 'after' } });
    await control.clearJournal();

    await expect(again()).rejects.toMatchObject({ constructor: ApiError, outcome: 'unknown' });
    let answer: unknown;
    if (instead) await instead(api, effect);
    else if (typeof repeated === 'number') await expect(again()).rejects.toMatchObject({ code: repeated });
    else if (repeated === undefined && idempotency === 'reject')
      await expect(again()).rejects.toMatchObject({ code: 156020 });
    else answer = await again();
    const sent = await control.journal({ operation });
    expect(sent.filter(({ committed }) => committed)).toHaveLength(repeated === 'the same answer' ? 2 : 1);

    await control.clearJournal();
    const found = await find(api, effect);
    expect(distinct(await control.journal(), 'operation')).toEqual(reads);
    const isDeletion = findEndpoint(operation).method === 'DELETE';
    expect(found).toHaveLength(isDeletion || reads.length === 0 ? 0 : 1);
    if (answer !== undefined) expect(JSON.stringify(answer)).toContain(found[0] ?? fieldOf(effect, 'address'));
  });
});
