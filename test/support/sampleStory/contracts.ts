import { STRANGER, type TestClient } from '../../emulator/chain/support';
import { deploy, deployTemplate, importContract, monitor, query, USDC } from '../../emulator/contracts/support';
import { CHAIN } from './addresses';

const ABI = [
  { type: 'constructor', inputs: [], stateMutability: 'nonpayable' },
  { type: 'function', name: 'issue', inputs: [{ name: 'to', type: 'address' }], stateMutability: 'nonpayable' },
];

export async function callContracts(client: TestClient) {
  const wallet = await client.fundedWallet();
  const sca = await client.fundedWallet(CHAIN, 'SCA');
  const call = {
    contractAddress: USDC[CHAIN],
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [STRANGER, '250000'],
  };
  const execute = async ({ id: walletId }: { id: string }, request: object = call) => {
    const body = { walletId, feeLevel: 'MEDIUM', ...request };
    const { data } = await client.postWithKey('/developer/transactions/contractExecution', body);
    await client.settle();
    await client.transaction(data.id);
  };
  await execute(wallet);
  const { address } = (await client.control('POST', '/contracts', { blockchain: CHAIN })).body;
  await client.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'INSUFFICIENT_NATIVE_TOKEN' } });
  await execute(wallet, {
    contractAddress: address,
    abiFunctionSignature: 'grant(address,uint256,uint8,(bytes32[],uint256))',
    abiParameters: [STRANGER, 0, 1, [[`0x${'d4'.repeat(32)}`], 10]],
  });
  await execute(sca);
  await client.send('POST', '/transactions/contractExecution/estimateFee', { walletId: sca.id, ...call });

  const named = { description: 'Issues gift cards', abiJson: JSON.stringify(ABI) };
  await client.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'ESTIMATION_ERROR' } });
  await deploy(client, wallet, named);
  await client.settle();
  const { contractId } = (await deploy(client, wallet, named)).data;
  await client.get('/contracts');
  await client.settle();
  await client.get(`/contracts/${contractId}`);
  await deployTemplate(client, wallet, 'ERC20');
  await client.settle();
  const { data } = await client.get('/contracts?pageSize=50');
  for (const { id } of data.contracts) await client.get(`/contracts/${id}`);
  await query(client, { abiFunctionSignature: 'name()', abiJson: undefined });
  await importContract(client);
  await monitor(client);
  await client.transfer(wallet);
  await client.settle();
  await client.get('/contracts/events');
}
