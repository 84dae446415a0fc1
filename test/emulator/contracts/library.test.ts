import { getContractAddress } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';
import { deploy, deployTemplate, importContract, parametersFor, query, TEMPLATE, USDC } from './support';

afterAll(closeOwnEmulator);

test('a contract can be imported, renamed, archived and listed', async () => {
  const client = await TestClient.open();
  const imported = await importContract(client, { description: 'stablecoin' });
  expect(imported.status).toBe(201);
  const { contract } = imported.data;
  expect(contract).toMatchObject({
    name: 'USDC',
    description: 'stablecoin',
    blockchain: 'ETH-SEPOLIA',
    contractAddress: USDC['ETH-SEPOLIA'],
    contractInputType: 'IMPORT',
    status: 'COMPLETE',
    verificationStatus: 'VERIFIED',
    archived: false,
    sourceCode: [],
  });
  expect(contract.functions.map(({ name }: { name: string }) => name)).toContain('transferFrom');
  expect(contract.events.map(({ name }: { name: string }) => name)).toEqual(['Transfer', 'Approval']);
  expect(JSON.parse(contract.abiJson)).toHaveLength(contract.functions.length + contract.events.length);

  const patched = await client.send('PATCH', `/contracts/${contract.id}`, { name: 'Dollar', archived: true });
  expect(patched.data.contract).toMatchObject({ name: 'Dollar', archived: true, description: 'stablecoin' });
  expect((await client.send('PATCH', `/contracts/${contract.id}`, { archived: false })).status).toBe(200);
  expect((await client.get(`/contracts/${contract.id}`)).data.contract).toMatchObject({ archived: false });

  for (const [filter, count] of [
    ['blockchain=ETH-SEPOLIA', 1],
    ['blockchain=ARB-SEPOLIA', 0],
    ['name=Dollar&status=COMPLETE&contractInputType=IMPORT', 1],
    ['contractInputType=TEMPLATE', 0],
    ['deployerAddress=0x0000000000000000000000000000000000000001', 0],
  ] as const) {
    expect((await client.get(`/contracts?${filter}`)).data.contracts).toHaveLength(count);
  }
});

test.each([['with space'], ['under_score'], ['ünicode'], ['']])('a contract cannot be named %j', async (name) => {
  const client = await TestClient.open();
  expect(await importContract(client, { name })).toMatchObject({ status: 400, code: 2 });
  const { data } = await importContract(client, {});
  expect(await client.send('PATCH', `/contracts/${data.contract.id}`, { name })).toMatchObject({
    status: 400,
    code: 2,
  });
});

test.each(['UNI-SEPOLIA', 'ARB-SEPOLIA'])('a contract can be imported on %s', async (blockchain) => {
  const client = await TestClient.open();
  const wallet = await client.wallet(blockchain);
  await client.fund(wallet, { native: '1' });
  expect(await deploy(client, wallet)).toMatchObject({ status: 201 });
  expect(await deployTemplate(client, wallet, 'ERC20')).toMatchObject({ status: 201 });
  for (const path of ['/contracts/deploy/estimateFee', `/templates/${TEMPLATE.ERC20}/deploy/estimateFee`]) {
    const body = { walletId: wallet.id, blockchain, bytecode: '0x00', templateParameters: parametersFor(wallet) };
    expect(await client.send('POST', path, body)).toMatchObject({ status: 200 });
  }
  expect((await client.get(`/contracts?blockchain=${blockchain}`)).data.contracts).toHaveLength(2);
});

test('a contract is deployed with its transaction to the address that the nonce determines', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1', USDC: '2' });
  await client.transfer(wallet);
  const abiJson = JSON.stringify([
    { type: 'constructor', inputs: [{ type: 'string' }, { type: 'uint256' }], stateMutability: 'nonpayable' },
    { type: 'event', name: 'Moved', inputs: [{ type: 'uint256', name: 'by', indexed: false }] },
  ]);
  const sent = await deploy(client, wallet, { abiJson, constructorParameters: ['TICK', '10000'], refId: 'd-1' });
  expect(sent.status).toBe(201);
  const { contractId, transactionId } = sent.data;
  const { contract: pending } = (await client.get(`/contracts/${contractId}`)).data;
  expect(pending).toMatchObject({
    status: 'PENDING',
    contractInputType: 'BYTECODE',
    verificationStatus: 'UNVERIFIED',
    deployerAddress: wallet.address,
    deployerWalletID: wallet.id,
    deploymentTransactionId: transactionId,
    contractAddress: null,
    txHash: null,
    sourceCode: null,
    functions: null,
    events: null,
  });

  await client.settle();
  const address = getContractAddress({ from: wallet.address as `0x${string}`, nonce: 1n });
  const transaction = await client.transaction(transactionId);
  expect(transaction).toMatchObject({
    state: 'COMPLETE',
    operation: 'CONTRACT_DEPLOYMENT',
    contractAddress: address,
    refId: 'd-1',
  });
  expect((await client.get(`/contracts/${contractId}`)).data.contract).toMatchObject({
    status: 'COMPLETE',
    contractAddress: address,
    txHash: transaction.txHash,
    events: [{ name: 'Moved' }],
  });
  const { data } = await client.get(`/contracts?deployerAddress=${wallet.address.toLowerCase()}`);
  expect(data.contracts).toHaveLength(1);
});

test('a failed deployment leaves a failed contract', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1' });
  await client.world.control.call('POST', '/transactions/next', {
    fail: { errorReason: 'INTERNAL_ERROR', errorDetails: 'lost' },
  });
  const { data } = await deploy(client, wallet);
  await client.settle();
  const { contract } = (await client.get(`/contracts/${data.contractId}`)).data;
  expect(contract).toMatchObject({
    status: 'FAILED',
    deploymentErrorReason: 'INTERNAL_ERROR',
    deploymentErrorDetails: 'lost',
    contractAddress: null,
  });
  expect((await client.audit()).problems).toEqual([]);
});

test('a smart-contract wallet can deploy with a sponsored fee', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet('ETH-SEPOLIA', 'SCA');
  const { data } = await deployTemplate(client, wallet, 'ERC721');
  await client.settle();
  expect((await client.get(`/contracts/${data.contractIds[0]}`)).data.contract).toMatchObject({
    status: 'COMPLETE',
    contractInputType: 'TEMPLATE',
    verificationStatus: 'VERIFIED',
    name: 'My token',
    contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  });
});

test('the estimate of a deployment accepts the ABI or the constructor signature', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1' });
  const path = '/contracts/deploy/estimateFee';
  const bytecode = '6001';
  const fits = { constructorSignature: 'constructor(string ticker, uint256 supply)', constructorParameters: ['A', 1] };
  const abiJson = '[{"type":"constructor","inputs":[{"type":"address","name":"owner"}]}]';
  const bySignature = await client.send('POST', path, { walletId: wallet.id, bytecode, ...fits });
  expect(bySignature.data.medium).toMatchObject({ gasLimit: expect.any(String), networkFee: expect.any(String) });
  const byAbi = { sourceAddress: wallet.address, blockchain: wallet.blockchain, bytecode, abiJson };
  expect(await client.send('POST', path, { ...byAbi, constructorParameters: [wallet.address] })).toMatchObject({
    status: 200,
  });
  expect(await client.send('POST', path, byAbi)).toMatchObject({ code: 175003 });
  const other = '/transactions/contractDeployment/estimateFee';
  expect((await client.send('POST', other, { walletId: wallet.id, bytecode, ...fits })).data).toEqual(bySignature.data);
});

test('a proxy is imported with its implementation', async () => {
  const client = await TestClient.open();
  const { address } = await client.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
    implementation: USDC['ETH-SEPOLIA'],
  });
  const { contract } = (await importContract(client, { address })).data;
  expect(contract).toMatchObject({
    verificationStatus: 'UNVERIFIED',
    functions: [],
    implementationContract: { contractAddress: USDC['ETH-SEPOLIA'] },
  });
});

test('a query reads the state of a contract', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { USDC: '12.5' });
  for (const [abiFunctionSignature, abiParameters, value] of [
    ['name()', [], 'USD Coin'],
    ['symbol()', [], 'USDC'],
    ['decimals()', [], 6],
    ['totalSupply()', [], '12500000'],
    ['balanceOf(address)', [wallet.address], '12500000'],
    ['allowance(address owner, address spender)', [wallet.address, wallet.address], '0'],
  ] as const) {
    expect((await query(client, { abiFunctionSignature, abiParameters })).data.outputValues).toEqual([value]);
  }
  const byData = await query(client, { callData: '0x313ce567' });
  expect(byData.data).toEqual({ outputValues: [6], outputData: `0x${'6'.padStart(64, '0')}` });
  const abiJson =
    '[{"type":"function","name":"decimals","inputs":[],"outputs":[{"type":"uint256"}],"stateMutability":"view"}]';
  expect((await query(client, { abiFunctionSignature: 'decimals()', abiJson })).data.outputValues).toEqual(['6']);
});

test('contracts are listed in pages', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet('ETH-SEPOLIA', 'EOA');
  await client.fund(wallet, { native: '1' });
  for (let n = 0; n < 5; n++) await deploy(client, wallet, { name: `C${n}` });
  const first = await client.get('/contracts?pageSize=2');
  const names = (response: typeof first) => response.data.contracts.map(({ name }: { name: string }) => name);
  expect(names(first)).toEqual(['C4', 'C3']);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  expect(names(await client.get(next!))).toEqual(['C2', 'C1']);
});

test('an invalid ABI or constructor is rejected and never causes a 5xx', async () => {
  const client = await TestClient.open();
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1' });
  const path = '/contracts/deploy/estimateFee';
  const estimate = (body: object) => client.send('POST', path, { walletId: wallet.id, bytecode: '0x00', ...body });
  const deep = `${'[{"type":"tuple","components":'.repeat(20_000)}[]${'}]'.repeat(20_000)}`;
  for (const abiJson of [
    '',
    'null',
    '{}',
    '[1]',
    '[{"type":"unknown"}]',
    '[{"type":"function","name":5,"inputs":[]}]',
    '[{"type":"function","name":"a(b","inputs":[]}]',
    '[{"type":"event","name":"E","inputs":[{"type":"tuple"}]}]',
    '[{"type":"event","name":"E","inputs":[{"type":"address","indexed":"yes"}]}]',
    `[{"type":"function","name":"f","inputs":${deep}}]`,
  ]) {
    expect(await estimate({ abiJson })).toMatchObject({ status: 400, code: 175007 });
  }
  for (const constructorSignature of ['constructor(', 'function a()', 'receive() external payable', '(uint256)']) {
    expect(await estimate({ constructorSignature })).toMatchObject({ status: 400, code: 155209 });
  }
  expect(await estimate({ bytecode: '0xzz' })).toMatchObject({ status: 400, code: 2 });
  const solana = await client.wallet('SOL-DEVNET');
  expect(await estimate({ walletId: solana.id })).toMatchObject({ status: 400, code: 155510 });
});
