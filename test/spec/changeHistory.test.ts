import { randomUUID } from 'node:crypto';
import { STRANGER, TestClient } from '../emulator/chain/support';
import { closeOwnEmulator } from '../support/emulator';
import { ALL_ENDPOINTS, unnamed } from './tables';

/**
 * The specification's change history as a checklist, newest first: the visible effect of each dated row.
 * `tables.test.ts` compares the complete lists of endpoints, codes and names.
 */

afterAll(closeOwnEmulator);

let client: TestClient;
let paths: Record<string, Record<string, Node>>;
let components: Record<string, Node>;

// oxlint-disable-next-line typescript/no-explicit-any -- read by path
type Node = any;

beforeAll(async () => {
  client = await TestClient.open();
  const document = (await (await fetch(`${client.world.url}/openapi.json`)).json()) as Node;
  paths = document.paths;
  components = document.components.schemas;
});

/** The emulator's OpenAPI operation for an endpoint of the specification. */
function published(endpoint: string): Node {
  const [method = '', path = ''] = unnamed(endpoint).split(' ');
  const fullPath = path.startsWith('/v2') ? path : `/v1/w3s${path}`;
  const found = Object.keys(paths).find((each) => unnamed(each) === fullPath);
  const operation = found && paths[found]![method.toLowerCase()];
  if (!operation) throw new Error(`${endpoint} is not published`);
  return operation;
}

const schemaOf = (endpoint: string): Node => published(endpoint).requestBody.content['application/json'].schema;
const named = (schema: Node): Node => components[schema.$ref.split('/').at(-1)];
const bodyOf = (endpoint: string): Node => {
  const schema = schemaOf(endpoint);
  return schema.$ref ? named(schema) : schema;
};
const responseOf = (endpoint: string): Node => published(endpoint).responses['2XX'].content['application/json'].schema;

/** The schemas of all fields with one of these names, at any depth. */
function fields(schema: Node, ...names: string[]): Node[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref) return fields(named(schema), ...names);
  const own = names.flatMap((name) => (schema.properties?.[name] ? [notNull(schema.properties[name])] : []));
  return [...own, ...Object.values(schema as object).flatMap((part) => fields(part, ...names))];
}

/** The schema of a field that may also be null. */
const notNull = (schema: Node): Node => (schema.anyOf ?? [schema]).find(({ type }: Node) => type !== 'null');

/** The allowed values of fields with these names in the request; if it has none, in the response. */
function valuesOf(endpoint: string, ...names: string[]): string[] {
  const { parameters, requestBody } = published(endpoint);
  const sent = [
    ...parameters.filter(({ name }: Node) => names.includes(name)).map(({ schema }: Node) => schema),
    ...fields(requestBody, ...names),
  ];
  const schemas = sent.length > 0 ? sent : fields(responseOf(endpoint), ...names);
  return schemas.flatMap((schema) => {
    const { enum: closed, 'x-extensible-enum': open } = schema.items ?? schema;
    return closed ?? open ?? [];
  });
}

const blockchains = (endpoint: string) => valuesOf(endpoint, 'blockchain', 'blockchains');

/** "The same endpoint set" in the rows of 2024-09-11 and 2024-11-12. */
const CHAIN_SET = [
  'POST /developer/wallets',
  'POST /user/wallets',
  'GET /wallets',
  'GET /transactions',
  'POST /transactions/validateAddress',
  'POST /user/initialize',
  'GET /config/entity/monitoredTokens',
  'GET /contracts',
  'POST /contracts/deploy',
  'POST /contracts/deploy/estimateFee',
  'POST /templates/{id}/deploy',
  'POST /templates/{id}/deploy/estimateFee',
];

/** Endpoints for which the specification names `standard`. */
const STANDARD_SET = [
  'GET /wallets/{id}/balances',
  'GET /wallets/{id}/nfts',
  'GET /tokens/{id}',
  'GET /config/entity/monitoredTokens',
  'POST /config/entity/monitoredTokens',
  'PUT /config/entity/monitoredTokens',
];

describe('2025: attestations under /v2', () => {
  test('only the old fee endpoint is deprecated', () => {
    const old = unnamed('GET /v2/fastBurn/<token>/fees/:sourceDomainId/:destDomainId');
    expect(ALL_ENDPOINTS.filter((endpoint) => published(endpoint).deprecated)).toEqual([old]);
  });

  test('the old fee endpoint returns only the fast fee, the new one returns both', async () => {
    const fast = await fetch(`${client.world.url}/v2/fastBurn/USDC/fees/0/3`);
    expect(await fast.json()).toEqual({ minimumFee: expect.anything() });
    const both = await fetch(`${client.world.url}/v2/burn/USDC/fees/0/3`);
    const tiers = (await both.json()) as { finalityThreshold: number }[];
    expect(tiers.map(({ finalityThreshold }) => finalityThreshold)).toEqual([1000, 2000]);
  });
});

describe('2024-12-18: travel rule bodies', () => {
  test('describe every field, with an example of each field that is not an object', () => {
    const undocumented: string[] = [];
    const read = (schema: Node, at: string): void => {
      const target = schema.$ref ? components[schema.$ref.split('/').at(-1)] : schema;
      for (const [name, field] of Object.entries<Node>(target.properties ?? {})) {
        const path = `${at}.${name}`;
        const resolved = field.$ref ? components[field.$ref.split('/').at(-1)] : field;
        const { description, examples, example, properties, items } = { ...resolved, ...field };
        if (!description) undocumented.push(path);
        if (!properties && !items?.properties && !items?.$ref && !(examples ?? example))
          undocumented.push(`${path} (example)`);
        read(resolved, path);
        if (items) read(items, path);
      }
    };
    const travelRule = ALL_ENDPOINTS.filter((endpoint) => endpoint.includes('/travelRule/'));
    for (const endpoint of travelRule) read(bodyOf(endpoint), endpoint);
    expect(undocumented).toEqual([]);
  });
});

describe('2024-12-09: users and travel rule', () => {
  test('creating or reading a user returns the user', () => {
    const shown = ['GET /user', 'POST /users', 'GET /users/{id}'].map((endpoint) =>
      ['id', 'status', 'createDate', 'pinStatus', 'securityQuestionStatus'].filter(
        (name) => fields(responseOf(endpoint), name).length === 0,
      ),
    );
    expect(shown.flat()).toEqual([]);
  });

  test('POST /users/ is the same as POST /users', async () => {
    const [{ status }, { status: other }] = await Promise.all([
      client.send('POST', '/users/', { userId: 'slash' }),
      client.send('POST', '/users', { userId: 'no slash' }),
    ]);
    expect(status).toBe(other);
  });

  test('validityCheck and receivePii accept a transaction or a message', () => {
    for (const endpoint of ['POST /compliance/travelRule/validityCheck', 'POST /compliance/travelRule/receivePii']) {
      const { properties, required } = bodyOf(endpoint);
      expect(required).toContain('customerJurisdiction');
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(['transactionId', 'travelRuleId']));
    }
  });
});

describe('2024-11-12', () => {
  test.each(CHAIN_SET)('%s accepts UNI-SEPOLIA', (endpoint) => {
    expect(blockchains(endpoint)).toContain('UNI-SEPOLIA');
  });

  const keyed = ALL_ENDPOINTS.filter((endpoint) => !endpoint.includes(' /v2/'));

  test.each(keyed)('%s without an API key returns 401', async (endpoint) => {
    const [method, path = ''] = endpoint.split(' ');
    const response = await fetch(`${client.world.url}/v1/w3s${path.replaceAll('{}', randomUUID())}`, {
      method: method!,
    });
    expect(response.status).toBe(401);
  });

  test.each([
    'GET /developer/wallets/{id}',
    'PUT /developer/wallets/{id}/blockchains/{blockchain}',
    'GET /wallets/{id}/balances',
    'GET /wallets/{id}/nfts',
    'GET /tokens/{id}',
    'GET /transactions/{id}',
  ])('%s with an unknown id returns 404', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const response = await client.send(
      method,
      path.replace('{id}', randomUUID()).replace('{blockchain}', 'ETH-SEPOLIA'),
      ...(method === 'GET' ? [] : [{}]),
    );
    expect(response.status).toBe(404);
  });

  test('a transfer from an unknown wallet, and a wallet in an unknown set, return 404', async () => {
    expect(await client.transfer({ id: randomUUID(), blockchain: 'ETH-SEPOLIA' })).toMatchObject({ status: 404 });
    const wallets = await client.postWithKey('/developer/wallets', {
      walletSetId: randomUUID(),
      blockchains: ['ETH-SEPOLIA'],
    });
    expect(wallets).toMatchObject({ status: 404, code: 156005 });
  });
});

describe('2024-10-31', () => {
  test('EVM and EVM-TESTNET are known, and a wallet on EVM-TESTNET can sign', async () => {
    const wallet = await client.wallet('EVM-TESTNET');
    const signed = await client.postWithKey('/developer/sign/message', { walletId: wallet.id, message: 'hello' });
    expect(signed.data.signature).toMatch(/^0x[0-9a-f]{130}$/);
    expect(blockchains('POST /developer/wallets')).toEqual(expect.arrayContaining(['EVM', 'EVM-TESTNET']));
  });

  test('typed data requires a chain id (155808), and a supported one (155807)', async () => {
    const { id: walletId } = await client.wallet();
    const sign = (domain: object) =>
      client.postWithKey('/developer/sign/typedData', { walletId, data: typedData(domain) });
    expect(await sign({ name: 'a' })).toMatchObject({ status: 400, code: 155808 });
    expect(await sign({ name: 'a', chainId: 424_242_424 })).toMatchObject({ status: 400, code: 155807 });
  });

  test('only wallets on NEAR have initialPublicKey, when created, listed and read', async () => {
    const [near, other] = (await client.wallets({ blockchains: ['NEAR-TESTNET', 'ETH-SEPOLIA'] })) as Node[];
    expect(near.initialPublicKey).toEqual(expect.any(String));
    expect(other).not.toHaveProperty('initialPublicKey');
    const { data: listed } = await client.get(`/developer/wallets?walletSetId=${near.walletSetId}`);
    const keys = listed.wallets.map(({ initialPublicKey }: Node) => initialPublicKey);
    expect(keys.filter(Boolean)).toEqual([near.initialPublicKey]);
    const { data } = await client.get(`/developer/wallets/${near.id}`);
    expect(data.wallet.initialPublicKey).toBe(near.initialPublicKey);
  });

  test('signing an EVM transaction returns its txHash', async () => {
    const { id: walletId } = await client.wallet('EVM-TESTNET');
    const transaction = JSON.stringify({
      nonce: 0,
      to: STRANGER,
      value: '1',
      gas: '21000',
      chainId: 11_155_111,
      maxFeePerGas: '1000000000',
      maxPriorityFeePerGas: '1',
    });
    const { data } = await client.postWithKey('/developer/sign/transaction', { walletId, transaction });
    expect(data.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe('2024-10-24, 2024-07-25: sign-transaction on Solana', () => {
  test.each(['SOL-DEVNET'])('%s: an undecodable transaction returns 155805', async (blockchain) => {
    const { id: walletId } = await client.wallet(blockchain);
    const response = await client.postWithKey('/developer/sign/transaction', { walletId, rawTransaction: 'AAAA' });
    expect(response).toMatchObject({ status: 400, code: 155805 });
  });
});

describe('2024-10-14: gasLimit with feeLevel', () => {
  test.each([
    'POST /developer/transactions/transfer',
    'POST /developer/transactions/contractExecution',
    'POST /user/transactions/transfer',
    'POST /user/transactions/contractExecution',
  ])('%s accepts both', (endpoint) => {
    expect(Object.keys(bodyOf(endpoint).properties)).toEqual(expect.arrayContaining(['feeLevel', 'gasLimit']));
  });

  test('an EOA wallet accepts a gasLimit, and one that is too low returns 155233', async () => {
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1', USDC: '5' });
    expect((await client.transfer(wallet, { gasLimit: '300000' })).status).toBe(201);
    expect(await client.transfer(wallet, { gasLimit: '1' })).toMatchObject({ status: 400, code: 155233 });
  });
});

describe('2024-09-24: screening of transactions', () => {
  test.each(['GET /transactions', 'GET /transactions/{id}'])('%s can return the evaluation', (endpoint) => {
    const [evaluation] = fields(responseOf(endpoint), 'transactionScreeningEvaluation');
    expect(Object.keys(evaluation.properties)).toEqual(expect.arrayContaining(['screeningDate', 'actions', 'reasons']));
  });
});

describe('2024-09-11', () => {
  test.each(CHAIN_SET)('%s accepts ARB and ARB-SEPOLIA', (endpoint) => {
    expect(blockchains(endpoint)).toEqual(expect.arrayContaining(['ARB', 'ARB-SEPOLIA']));
  });

  const estimates = ALL_ENDPOINTS.filter((endpoint) => endpoint.endsWith('/estimateFee'));
  test.each(estimates)('%s returns networkFee at every level', (endpoint) => {
    for (const level of ['low', 'medium', 'high']) {
      expect(fields(responseOf(endpoint), level)[0].properties).toHaveProperty('networkFee');
    }
  });

  test('a transfer shows its estimated networkFee', async () => {
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1', USDC: '5' });
    const { data } = await client.transfer(wallet);
    await client.settle();
    const { estimatedFee } = await client.transaction(data.id);
    expect(Number(estimatedFee.networkFee)).toBeGreaterThan(0);
  });
});

describe('2024-09-09', () => {
  test.each(['POST /developer/sign/transaction', 'POST /user/sign/transaction'])(
    '%s documents the rejection of a transaction that is too large (155806)',
    (endpoint) => expect(published(endpoint).responses['400'].description).toContain('`155806`'),
  );

  test('the name of a contract must be alphanumeric', async () => {
    for (const endpoint of ['POST /contracts/import']) {
      const [method = '', path = ''] = endpoint.split(' ');
      const { status, message } = await client.send(method, path, {
        idempotencyKey: randomUUID(),
        name: 'not-alphanumeric',
        address: STRANGER,
        blockchain: 'ETH-SEPOLIA',
      });
      expect([status, message]).toEqual([400, expect.any(String)]);
    }
  });
});

describe('2024-08-14', () => {
  const STANDARDS = [
    'Fungible',
    'NonFungible',
    'NonFungibleEdition',
    'ProgrammableNonFungible',
    'ProgrammableNonFungibleEdition',
    'FungibleAsset',
  ];

  test.each(STANDARD_SET)('%s has all token standards', (endpoint) => {
    expect(valuesOf(endpoint, 'standard')).toEqual(expect.arrayContaining(STANDARDS));
  });

  test('nftTokenId of an NFT is optional', () => {
    const [nfts] = fields(responseOf('GET /wallets/{id}/nfts'), 'nfts');
    expect(nfts.items.properties).toHaveProperty('nftTokenId');
    expect(nfts.items.required).not.toContain('nftTokenId');
  });

  test('a token with a zero balance is listed only while it is monitored', async () => {
    const own = await TestClient.open();
    const wallet = await own.wallet();
    await own.fund(wallet, { USDC: '1' });
    const rows = async () => (await own.get(`/wallets/${wallet.id}/balances`)).data.tokenBalances as Node[];
    const [{ token }] = (await rows()) as [Node];
    const { id: another } = await own.wallet();
    const empty = async () => (await own.get(`/wallets/${another}/balances`)).data.tokenBalances as Node[];
    expect(await empty()).toEqual([]);
    await own.send('POST', '/config/entity/monitoredTokens', { tokenIds: [token.id] });
    expect((await empty()).map(({ amount, token: { id } }) => [id, amount])).toEqual([[token.id, '0']]);
  });
});

describe('2024-07-19, 2024-06-26: FT was renamed to Fungible', () => {
  test.each(STANDARD_SET)('%s does not contain FT', (endpoint) => {
    expect(JSON.stringify(published(endpoint))).not.toMatch(/"FT"/);
  });

  test('FT is rejected as a filter', async () => {
    const { id } = await client.wallet();
    expect(await client.get(`/wallets/${id}/balances?standard=FT`)).toMatchObject({ status: 400, code: 2 });
    expect((await client.get(`/wallets/${id}/balances?standard=Fungible`)).status).toBe(200);
  });
});

describe('2024-06-20: AbiJson', () => {
  test.each(['POST /contracts/deploy/estimateFee', 'POST /transactions/contractDeployment/estimateFee'])(
    '%s accepts abiJson',
    (endpoint) => expect(bodyOf(endpoint).properties).toHaveProperty('abiJson'),
  );
});

describe('2024-06-13: v', () => {
  // test/emulator/signing/typedData.test.ts verifies twenty signatures and their signers.
  test('a typed-data signature ends with 27 or 28', async () => {
    const { id: walletId } = await client.wallet();
    const data = typedData({ name: 'a', chainId: 11_155_111 });
    const signed = await client.postWithKey('/developer/sign/typedData', { walletId, data });
    expect(['1b', '1c']).toContain(signed.data.signature.slice(-2));
  });
});

test('the schema of a user contract call has its new name', () => {
  const name = 'CreateContractExecutionTransactionForEndUserRequest';
  const schema = schemaOf('POST /user/transactions/contractExecution');
  expect(schema).toEqual({ $ref: `#/components/schemas/${name}` });
  expect(components[name].properties).toHaveProperty('abiFunctionSignature');
  expect(components).not.toHaveProperty('ContractExecutionTxnPinCodeRequest');
});

describe('2024-06-11', () => {
  test.each(CHAIN_SET.filter((endpoint) => !/contracts|templates/.test(endpoint)))(
    '%s accepts SOL and SOL-DEVNET',
    (endpoint) => expect(blockchains(endpoint)).toEqual(expect.arrayContaining(['SOL', 'SOL-DEVNET'])),
  );

  test.each([
    'POST /user/transactions/transfer',
    'POST /developer/transactions/transfer',
    'POST /transactions/transfer/estimateFee',
  ])('%s declares blockchain as a string enum', (endpoint) => {
    expect(bodyOf(endpoint).properties.blockchain).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['SOL', 'SOL-DEVNET', 'ETH']),
    });
  });

  test('a transfer refuses an unknown blockchain', async () => {
    const wallet = await client.wallet();
    const response = await client.transfer(wallet, { tokenId: undefined, tokenAddress: '', blockchain: 'DOGE' });
    expect(response).toMatchObject({ status: 400, code: 2 });
  });
});

function typedData(domain: object): string {
  const types = {
    EIP712Domain: Object.keys(domain).map((name) => ({ name, type: name === 'chainId' ? 'uint256' : 'string' })),
    Note: [{ name: 'text', type: 'string' }],
  };
  return JSON.stringify({ types, domain, primaryType: 'Note', message: { text: 'hello' } });
}
