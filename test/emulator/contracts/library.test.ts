import { getContractAddress } from 'viem';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { TEMPLATE, USDC, deploy, deployTemplate, importContract, parametersFor, query } from './support';

afterAll(closeOwnEmulator);

test('imports a contract, renames, archives and lists it', async () => {
  const chain = await Chain.open();
  const imported = await importContract(chain, { description: 'stablecoin' });
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

  const patched = await chain.send('PATCH', `/contracts/${contract.id}`, { name: 'Dollar', archived: true });
  expect(patched.data.contract).toMatchObject({ name: 'Dollar', archived: true, description: 'stablecoin' });
  expect((await chain.send('PATCH', `/contracts/${contract.id}`, { archived: false })).status).toBe(200);
  expect((await chain.get(`/contracts/${contract.id}`)).data.contract).toMatchObject({ archived: false });

  for (const [filter, count] of [
    ['blockchain=ETH-SEPOLIA', 1],
    ['blockchain=ARB-SEPOLIA', 0],
    ['name=Dollar&status=COMPLETE&contractInputType=IMPORT', 1],
    ['contractInputType=TEMPLATE', 0],
    ['deployerAddress=0x0000000000000000000000000000000000000001', 0],
  ] as const) {
    expect((await chain.get(`/contracts?${filter}`)).data.contracts).toHaveLength(count);
  }
});

test.each([['with space'], ['under_score'], ['ünicode'], ['']])('a contract is not named %j', async (name) => {
  const chain = await Chain.open();
  expect(await importContract(chain, { name })).toMatchObject({ status: 400, code: 2 });
  const { data } = await importContract(chain, {});
  expect(await chain.send('PATCH', `/contracts/${data.contract.id}`, { name })).toMatchObject({ status: 400, code: 2 });
});

test.each(['UNI-SEPOLIA', 'ARB-SEPOLIA'])('contracts live on %s too', async (blockchain) => {
  const chain = await Chain.open();
  const wallet = await chain.wallet(blockchain);
  await chain.fund(wallet, { native: '1' });
  expect(await deploy(chain, wallet)).toMatchObject({ status: 201 });
  expect(await deployTemplate(chain, wallet, 'ERC20')).toMatchObject({ status: 201 });
  for (const path of ['/contracts/deploy/estimateFee', `/templates/${TEMPLATE.ERC20}/deploy/estimateFee`]) {
    const body = { walletId: wallet.id, blockchain, bytecode: '0x00', templateParameters: parametersFor(wallet) };
    expect(await chain.send('POST', path, body)).toMatchObject({ status: 200 });
  }
  expect((await chain.get(`/contracts?blockchain=${blockchain}`)).data.contracts).toHaveLength(2);
});

test('a contract is deployed with its transaction, to where the nonce says', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1', USDC: '2' });
  await chain.transfer(wallet);
  const abiJson = JSON.stringify([
    { type: 'constructor', inputs: [{ type: 'string' }, { type: 'uint256' }], stateMutability: 'nonpayable' },
    { type: 'event', name: 'Moved', inputs: [{ type: 'uint256', name: 'by', indexed: false }] },
  ]);
  const sent = await deploy(chain, wallet, { abiJson, constructorParameters: ['TICK', '10000'], refId: 'd-1' });
  expect(sent.status).toBe(201);
  const { contractId, transactionId } = sent.data;
  const { contract: pending } = (await chain.get(`/contracts/${contractId}`)).data;
  expect(pending).toMatchObject({
    status: 'PENDING',
    contractInputType: 'BYTECODE',
    verificationStatus: 'UNVERIFIED',
    deployerAddress: wallet.address,
    deployerWalletID: wallet.id,
    deploymentTransactionId: transactionId,
    events: [{ name: 'Moved' }],
  });
  expect(pending).not.toHaveProperty('contractAddress');

  await chain.settle();
  const address = getContractAddress({ from: wallet.address as `0x${string}`, nonce: 1n });
  const transaction = await chain.transaction(transactionId);
  expect(transaction).toMatchObject({
    state: 'COMPLETE',
    operation: 'CONTRACT_DEPLOYMENT',
    contractAddress: address,
    refId: 'd-1',
  });
  expect((await chain.get(`/contracts/${contractId}`)).data.contract).toMatchObject({
    status: 'COMPLETE',
    contractAddress: address,
    txHash: transaction.txHash,
  });
  const { data } = await chain.get(`/contracts?deployerAddress=${wallet.address.toLowerCase()}`);
  expect(data.contracts).toHaveLength(1);
});

test('a deployment that fails leaves a failed contract', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1' });
  await chain.world.control.call('POST', '/transactions/next', {
    fail: { errorReason: 'INTERNAL_ERROR', errorDetails: 'lost' },
  });
  const { data } = await deploy(chain, wallet);
  await chain.settle();
  const { contract } = (await chain.get(`/contracts/${data.contractId}`)).data;
  expect(contract).toMatchObject({
    status: 'FAILED',
    deploymentErrorReason: 'INTERNAL_ERROR',
    deploymentErrorDetails: 'lost',
  });
  expect(contract).not.toHaveProperty('contractAddress');
  expect((await chain.audit()).problems).toEqual([]);
});

test('a smart-contract wallet deploys too, sponsored', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet('ETH-SEPOLIA', 'SCA');
  const { data } = await deployTemplate(chain, wallet, 'ERC721');
  await chain.settle();
  expect((await chain.get(`/contracts/${data.contractIds[0]}`)).data.contract).toMatchObject({
    status: 'COMPLETE',
    contractInputType: 'TEMPLATE',
    verificationStatus: 'VERIFIED',
    name: 'My token',
    contractAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  });
});

test('estimates of deployments take the ABI or the signature of the constructor', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1' });
  const path = '/contracts/deploy/estimateFee';
  const bytecode = '6001';
  const fits = { constructorSignature: 'constructor(string ticker, uint256 supply)', constructorParameters: ['A', 1] };
  const abiJson = '[{"type":"constructor","inputs":[{"type":"address","name":"owner"}]}]';
  const bySignature = await chain.send('POST', path, { walletId: wallet.id, bytecode, ...fits });
  expect(bySignature.data.medium).toMatchObject({ gasLimit: expect.any(String), networkFee: expect.any(String) });
  const byAbi = { sourceAddress: wallet.address, blockchain: wallet.blockchain, bytecode, abiJson };
  expect(await chain.send('POST', path, { ...byAbi, constructorParameters: [wallet.address] })).toMatchObject({
    status: 200,
  });
  expect(await chain.send('POST', path, byAbi)).toMatchObject({ code: 175003 });
  const other = '/transactions/contractDeployment/estimateFee';
  expect((await chain.send('POST', other, { walletId: wallet.id, bytecode, ...fits })).data).toEqual(bySignature.data);
});

test('a proxy is imported with what it stands for', async () => {
  const chain = await Chain.open();
  const { address } = await chain.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
    implementation: USDC['ETH-SEPOLIA'],
  });
  const { contract } = (await importContract(chain, { address })).data;
  expect(contract).toMatchObject({
    verificationStatus: 'UNVERIFIED',
    functions: [],
    implementationContract: { contractAddress: USDC['ETH-SEPOLIA'] },
  });
});

test('queries read the state', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { USDC: '12.5' });
  for (const [abiFunctionSignature, abiParameters, value] of [
    ['name()', [], 'USD Coin'],
    ['symbol()', [], 'USDC'],
    ['decimals()', [], 6],
    ['totalSupply()', [], '12500000'],
    ['balanceOf(address)', [wallet.address], '12500000'],
    ['allowance(address owner, address spender)', [wallet.address, wallet.address], '0'],
  ] as const) {
    expect((await query(chain, { abiFunctionSignature, abiParameters })).data.outputValues).toEqual([value]);
  }
  const byData = await query(chain, { callData: '0x313ce567' });
  expect(byData.data).toEqual({ outputValues: [6], outputData: `0x${'6'.padStart(64, '0')}` });
  const abiJson =
    '[{"type":"function","name":"decimals","inputs":[],"outputs":[{"type":"uint256"}],"stateMutability":"view"}]';
  expect((await query(chain, { abiFunctionSignature: 'decimals()', abiJson })).data.outputValues).toEqual(['6']);
});

test('lists page', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet('ETH-SEPOLIA', 'EOA');
  await chain.fund(wallet, { native: '1' });
  for (let n = 0; n < 5; n++) await deploy(chain, wallet, { name: `C${n}` });
  const first = await chain.get('/contracts?pageSize=2');
  const names = (answer: typeof first) => answer.data.contracts.map(({ name }: { name: string }) => name);
  expect(names(first)).toEqual(['C4', 'C3']);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  expect(names(await chain.get(next!))).toEqual(['C2', 'C1']);
});

test('what is no ABI, or no constructor, is refused and never breaks', async () => {
  const chain = await Chain.open();
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1' });
  const path = '/contracts/deploy/estimateFee';
  const ask = (body: object) => chain.send('POST', path, { walletId: wallet.id, bytecode: '0x00', ...body });
  const deep = `${'[{"type":"tuple","components":'.repeat(20_000)}[]${'}]'.repeat(20_000)}`;
  for (const abiJson of [
    '',
    'null',
    '{}',
    '[1]',
    '[{"type":"strange"}]',
    '[{"type":"function","name":5,"inputs":[]}]',
    '[{"type":"function","name":"a(b","inputs":[]}]',
    '[{"type":"event","name":"E","inputs":[{"type":"tuple"}]}]',
    '[{"type":"event","name":"E","inputs":[{"type":"address","indexed":"yes"}]}]',
    `[{"type":"function","name":"f","inputs":${deep}}]`,
  ]) {
    expect(await ask({ abiJson })).toMatchObject({ status: 400, code: 175007 });
  }
  for (const constructorSignature of ['constructor(', 'function a()', 'receive() external payable', '(uint256)']) {
    expect(await ask({ constructorSignature })).toMatchObject({ status: 400, code: 155209 });
  }
  expect(await ask({ bytecode: '0xzz' })).toMatchObject({ status: 400, code: 2 });
  const solana = await chain.wallet('SOL-DEVNET');
  expect(await ask({ walletId: solana.id })).toMatchObject({ status: 400, code: 155510 });
});
