import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../support/emulator';
import { Chain, STRANGER } from '../emulator/chain/support';
import { ALL_ENDPOINTS, unnamed } from './tables';

/**
 * The specification's change history as a checklist, newest first: what each dated row means, seen from outside. What is
 * there as a whole (endpoints, codes, names) is compared in `tables.test.ts`.
 */

afterAll(closeOwnEmulator);

let chain: Chain;
let paths: Record<string, Record<string, Node>>;
let components: Record<string, Node>;

// oxlint-disable-next-line typescript/no-explicit-any -- read by path
type Node = any;

beforeAll(async () => {
  chain = await Chain.open();
  const document = (await (await fetch(`${chain.world.url}/openapi.json`)).json()) as Node;
  paths = document.paths;
  components = document.components.schemas;
});

/** What the emulator publishes of an endpoint of the specification. */
function published(endpoint: string): Node {
  const [method = '', path = ''] = unnamed(endpoint).split(' ');
  const whole = path.startsWith('/v2') ? path : `/v1/w3s${path}`;
  const found = Object.keys(paths).find((one) => unnamed(one) === whole);
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
const answerOf = (endpoint: string): Node => published(endpoint).responses['2XX'].content['application/json'].schema;

/** Every schema of a field of one of these names, however deep. */
function fields(schema: Node, ...names: string[]): Node[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (schema.$ref) return fields(named(schema), ...names);
  const own = names.flatMap((name) => (schema.properties?.[name] ? [schema.properties[name]] : []));
  return [...own, ...Object.values(schema as object).flatMap((part) => fields(part, ...names))];
}

/** Values that a field of these names may have in what is sent; where nothing of the name is sent, in the answer. */
function valuesOf(endpoint: string, ...names: string[]): string[] {
  const { parameters, requestBody } = published(endpoint);
  const sent = [
    ...parameters.filter(({ name }: Node) => names.includes(name)).map(({ schema }: Node) => schema),
    ...fields(requestBody, ...names),
  ];
  const schemas = sent.length > 0 ? sent : fields(answerOf(endpoint), ...names);
  return schemas.flatMap((schema) => {
    const { enum: closed, 'x-extensible-enum': open } = schema.items ?? schema;
    return closed ?? open ?? [];
  });
}

const blockchains = (endpoint: string) => valuesOf(endpoint, 'blockchain', 'blockchains');

/** "The same endpoint set" of 2024-09-11 and 2024-11-12. */
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

/** Where the specification has `standard`. */
const STANDARD_SET = [
  'GET /wallets/{id}/balances',
  'GET /wallets/{id}/nfts',
  'GET /tokens/{id}',
  'GET /config/entity/monitoredTokens',
  'POST /config/entity/monitoredTokens',
  'PUT /config/entity/monitoredTokens',
];

describe('2025: attestations under /v2', () => {
  test('the old fee endpoint, and it alone, is deprecated', () => {
    const old = unnamed('GET /v2/fastBurn/<token>/fees/:sourceDomainId/:destDomainId');
    expect(ALL_ENDPOINTS.filter((endpoint) => published(endpoint).deprecated)).toEqual([old]);
  });

  test('the old fee endpoint tells the fast fee alone, the new one both', async () => {
    const fast = await fetch(`${chain.world.url}/v2/fastBurn/USDC/fees/0/3`);
    expect(await fast.json()).toEqual({ minimumFee: expect.anything() });
    const both = await fetch(`${chain.world.url}/v2/burn/USDC/fees/0/3`);
    const tiers = (await both.json()) as { finalityThreshold: number }[];
    expect(tiers.map(({ finalityThreshold }) => finalityThreshold)).toEqual([1000, 2000]);
  });
});

describe('2024-12-18: travel rule bodies', () => {
  test('describe every field, with an example of each that is no object', () => {
    const silent: string[] = [];
    const read = (schema: Node, at: string): void => {
      const target = schema.$ref ? components[schema.$ref.split('/').at(-1)] : schema;
      for (const [name, field] of Object.entries<Node>(target.properties ?? {})) {
        const path = `${at}.${name}`;
        const resolved = field.$ref ? components[field.$ref.split('/').at(-1)] : field;
        const { description, examples, example, properties, items } = { ...resolved, ...field };
        if (!description) silent.push(path);
        if (!properties && !items?.properties && !items?.$ref && !(examples ?? example))
          silent.push(`${path} (example)`);
        read(resolved, path);
        if (items) read(items, path);
      }
    };
    const travelRule = ALL_ENDPOINTS.filter((endpoint) => endpoint.includes('/travelRule/'));
    for (const endpoint of travelRule) read(bodyOf(endpoint), endpoint);
    expect(silent).toEqual([]);
  });
});

describe('2024-12-09: users and travel rule', () => {
  test('a user is answered where one is made or read', () => {
    const shown = ['GET /user', 'POST /users', 'GET /users/{id}'].map((endpoint) =>
      ['id', 'status', 'createDate', 'pinStatus', 'securityQuestionStatus'].filter(
        (name) => fields(answerOf(endpoint), name).length === 0,
      ),
    );
    expect(shown.flat()).toEqual([]);
  });

  test('POST /users/ is POST /users', async () => {
    const [{ status }, { status: other }] = await Promise.all([
      chain.send('POST', '/users/', { userId: 'slash' }),
      chain.send('POST', '/users', { userId: 'no slash' }),
    ]);
    expect(status).toBe(other);
  });

  test('validityCheck and receivePii name the transaction or the message', () => {
    for (const endpoint of ['POST /compliance/travelRule/validityCheck', 'POST /compliance/travelRule/receivePii']) {
      const { properties, required } = bodyOf(endpoint);
      expect(required).toContain('customerJurisdiction');
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(['transactionId', 'travelRuleId']));
    }
  });
});

describe('2024-11-12', () => {
  test.each(CHAIN_SET)('%s knows UNI-SEPOLIA', (endpoint) => {
    expect(blockchains(endpoint)).toContain('UNI-SEPOLIA');
  });

  const keyed = ALL_ENDPOINTS.filter((endpoint) => !endpoint.includes(' /v2/'));

  test.each(keyed)('%s without a key: 401', async (endpoint) => {
    const [method, path = ''] = endpoint.split(' ');
    const answer = await fetch(`${chain.world.url}/v1/w3s${path.replaceAll('{}', randomUUID())}`, { method: method! });
    expect(answer.status).toBe(401);
  });

  test.each([
    'GET /developer/wallets/{id}',
    'PUT /developer/wallets/{id}/blockchains/{blockchain}',
    'GET /wallets/{id}/balances',
    'GET /wallets/{id}/nfts',
    'GET /tokens/{id}',
    'GET /transactions/{id}',
  ])('%s of nothing: 404', async (endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const answer = await chain.send(
      method,
      path.replace('{id}', randomUUID()).replace('{blockchain}', 'ETH-SEPOLIA'),
      ...(method === 'GET' ? [] : [{}]),
    );
    expect(answer.status).toBe(404);
  });

  test('a transfer from no wallet, and a wallet in no set: 404', async () => {
    expect(await chain.transfer({ id: randomUUID(), blockchain: 'ETH-SEPOLIA' })).toMatchObject({ status: 404 });
    const wallets = await chain.effect('/developer/wallets', {
      walletSetId: randomUUID(),
      blockchains: ['ETH-SEPOLIA'],
    });
    expect(wallets).toMatchObject({ status: 404, code: 156005 });
  });
});

describe('2024-10-31', () => {
  test('wallets of EVM-TESTNET are made, and sign; EVM is known', async () => {
    const wallet = await chain.wallet('EVM-TESTNET');
    const signed = await chain.effect('/developer/sign/message', { walletId: wallet.id, message: 'hello' });
    expect(signed.data.signature).toMatch(/^0x[0-9a-f]{130}$/);
    expect(blockchains('POST /developer/wallets')).toEqual(expect.arrayContaining(['EVM', 'EVM-TESTNET']));
  });

  test('typed data needs a chain id (155808) that is supported (155807)', async () => {
    const { id: walletId } = await chain.wallet();
    const sign = (domain: object) => chain.effect('/developer/sign/typedData', { walletId, data: typedData(domain) });
    expect(await sign({ name: 'a' })).toMatchObject({ status: 400, code: 155808 });
    expect(await sign({ name: 'a', chainId: 424_242_424 })).toMatchObject({ status: 400, code: 155807 });
  });

  test('wallets on NEAR, and only these, have initialPublicKey: when made, listed and read', async () => {
    const [near, other] = (await chain.wallets({ blockchains: ['NEAR-TESTNET', 'ETH-SEPOLIA'] })) as Node[];
    expect(near.initialPublicKey).toEqual(expect.any(String));
    expect(other).not.toHaveProperty('initialPublicKey');
    const { data: listed } = await chain.get(`/developer/wallets?walletSetId=${near.walletSetId}`);
    const keys = listed.wallets.map(({ initialPublicKey }: Node) => initialPublicKey);
    expect(keys.filter(Boolean)).toEqual([near.initialPublicKey]);
    const { data } = await chain.get(`/developer/wallets/${near.id}`);
    expect(data.wallet.initialPublicKey).toBe(near.initialPublicKey);
  });

  test('a signed EVM transaction comes with its txHash', async () => {
    const { id: walletId } = await chain.wallet('EVM-TESTNET');
    const transaction = JSON.stringify({
      nonce: 0,
      to: STRANGER,
      value: '1',
      gas: '21000',
      chainId: 11_155_111,
      maxFeePerGas: '1000000000',
      maxPriorityFeePerGas: '1',
    });
    const { data } = await chain.effect('/developer/sign/transaction', { walletId, transaction });
    expect(data.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe('2024-10-24, 2024-07-25: sign-transaction on Solana', () => {
  test.each(['SOL-DEVNET'])('%s: what is no transaction is read as one', async (blockchain) => {
    const { id: walletId } = await chain.wallet(blockchain);
    const answer = await chain.effect('/developer/sign/transaction', { walletId, rawTransaction: 'AAAA' });
    expect(answer).toMatchObject({ status: 400, code: 155805 });
  });
});

describe('2024-10-14: gasLimit beside feeLevel', () => {
  test.each([
    'POST /developer/transactions/transfer',
    'POST /developer/transactions/contractExecution',
    'POST /user/transactions/transfer',
    'POST /user/transactions/contractExecution',
  ])('%s takes both', (endpoint) => {
    expect(Object.keys(bodyOf(endpoint).properties)).toEqual(expect.arrayContaining(['feeLevel', 'gasLimit']));
  });

  test('of a wallet that is no contract; one that is too low is 155233', async () => {
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1', USDC: '5' });
    expect((await chain.transfer(wallet, { gasLimit: '300000' })).status).toBe(201);
    expect(await chain.transfer(wallet, { gasLimit: '1' })).toMatchObject({ status: 400, code: 155233 });
  });
});

describe('2024-09-24: screening of transactions', () => {
  test.each(['GET /transactions', 'GET /transactions/{id}'])('%s can tell it', (endpoint) => {
    const [evaluation] = fields(answerOf(endpoint), 'transactionScreeningEvaluation');
    expect(Object.keys(evaluation.properties)).toEqual(expect.arrayContaining(['screeningDate', 'actions', 'reasons']));
  });
});

describe('2024-09-11', () => {
  test.each(CHAIN_SET)('%s knows ARB and ARB-SEPOLIA', (endpoint) => {
    expect(blockchains(endpoint)).toEqual(expect.arrayContaining(['ARB', 'ARB-SEPOLIA']));
  });

  const estimates = ALL_ENDPOINTS.filter((endpoint) => endpoint.endsWith('/estimateFee'));
  test.each(estimates)('%s tells networkFee at every level', (endpoint) => {
    for (const level of ['low', 'medium', 'high']) {
      expect(fields(answerOf(endpoint), level)[0].properties).toHaveProperty('networkFee');
    }
  });

  test('a transfer has it in its estimate, and afterwards', async () => {
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1', USDC: '5' });
    const { data } = await chain.transfer(wallet);
    await chain.settle();
    const { estimatedFee } = await chain.transaction(data.id);
    expect(Number(estimatedFee.networkFee)).toBeGreaterThan(0);
  });
});

describe('2024-09-09', () => {
  test.each(['POST /developer/sign/transaction', 'POST /user/sign/transaction'])(
    '%s refuses a transaction that is too large (155806)',
    (endpoint) => expect(published(endpoint).responses['400'].description).toContain('`155806`'),
  );

  test('names of contracts are alphanumeric', async () => {
    for (const endpoint of ['POST /contracts/import']) {
      const [method = '', path = ''] = endpoint.split(' ');
      const { status, message } = await chain.send(method, path, {
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

  test.each(STANDARD_SET)('%s knows all standards', (endpoint) => {
    expect(valuesOf(endpoint, 'standard')).toEqual(expect.arrayContaining(STANDARDS));
  });

  test('an NFT needs no nftTokenId', () => {
    const [nfts] = fields(answerOf('GET /wallets/{id}/nfts'), 'nfts');
    expect(nfts.items.properties).toHaveProperty('nftTokenId');
    expect(nfts.items.required).not.toContain('nftTokenId');
  });

  test('a token that a wallet has none of is listed only while it is monitored', async () => {
    const own = await Chain.open();
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

describe('2024-07-19, 2024-06-26: FT is Fungible now', () => {
  test.each(STANDARD_SET)('%s does not know FT', (endpoint) => {
    expect(JSON.stringify(published(endpoint))).not.toMatch(/"FT"/);
  });

  test('FT is refused as a filter', async () => {
    const { id } = await chain.wallet();
    expect(await chain.get(`/wallets/${id}/balances?standard=FT`)).toMatchObject({ status: 400, code: 2 });
    expect((await chain.get(`/wallets/${id}/balances?standard=Fungible`)).status).toBe(200);
  });
});

describe('2024-06-20: AbiJson', () => {
  test.each(['POST /contracts/deploy/estimateFee', 'POST /transactions/contractDeployment/estimateFee'])(
    '%s takes it',
    (endpoint) => expect(bodyOf(endpoint).properties).toHaveProperty('abiJson'),
  );
});

describe('2024-06-13: v', () => {
  // Twenty signatures, and whose they are: test/emulator/signing/typedData.test.ts.
  test('a typed-data signature ends with 27 or 28', async () => {
    const { id: walletId } = await chain.wallet();
    const data = typedData({ name: 'a', chainId: 11_155_111 });
    const signed = await chain.effect('/developer/sign/typedData', { walletId, data });
    expect(['1b', '1c']).toContain(signed.data.signature.slice(-2));
  });
});

test('the request for a contract call of a user has the name that replaced another', () => {
  const name = 'CreateContractExecutionTransactionForEndUserRequest';
  const schema = schemaOf('POST /user/transactions/contractExecution');
  expect(schema).toEqual({ $ref: `#/components/schemas/${name}` });
  expect(components[name].properties).toHaveProperty('abiFunctionSignature');
  expect(components).not.toHaveProperty('ContractExecutionTxnPinCodeRequest');
});

describe('2024-06-11', () => {
  test.each(CHAIN_SET.filter((endpoint) => !/contracts|templates/.test(endpoint)))(
    '%s knows SOL and SOL-DEVNET',
    (endpoint) => expect(blockchains(endpoint)).toEqual(expect.arrayContaining(['SOL', 'SOL-DEVNET'])),
  );

  test.each([
    'POST /user/transactions/transfer',
    'POST /developer/transactions/transfer',
    'POST /transactions/transfer/estimateFee',
  ])('%s has blockchain as an enum of strings', (endpoint) => {
    expect(bodyOf(endpoint).properties.blockchain).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['SOL', 'SOL-DEVNET', 'ETH']),
    });
  });

  test('and refuses other texts', async () => {
    const wallet = await chain.wallet();
    const answer = await chain.transfer(wallet, { tokenId: undefined, tokenAddress: '', blockchain: 'DOGE' });
    expect(answer).toMatchObject({ status: 400, code: 2 });
  });
});

function typedData(domain: object): string {
  const types = {
    EIP712Domain: Object.keys(domain).map((name) => ({ name, type: name === 'chainId' ? 'uint256' : 'string' })),
    Note: [{ name: 'text', type: 'string' }],
  };
  return JSON.stringify({ types, domain, primaryType: 'Note', message: { text: 'hello' } });
}
