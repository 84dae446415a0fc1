import { randomUUID } from 'node:crypto';
import type { TestClient } from '../chain/support';
import {
  call,
  callAndSettle,
  deploy,
  deployAndSettle,
  deployTemplate,
  estimate,
  importContract,
  monitor,
  parametersFor,
  query,
  TEMPLATE,
  USDC,
} from '../contracts/support';
import type { ErrorCodeCase } from './errorCodeCase';

const NOWHERE = '0x00000000000000000000000000000000000000ff';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const decimals = { abiFunctionSignature: 'decimals()' };

async function rich(client: TestClient) {
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '1' });
  return wallet;
}

async function imported(client: TestClient): Promise<string> {
  return (await importContract(client)).data.contract.id as string;
}

/** Creates a contract outside the world's wallets. @returns its address */
async function foreignContract(client: TestClient, body: object = {}): Promise<string> {
  const place = { blockchain: 'ETH-SEPOLIA', ...body };
  return (await client.world.control.call<{ address: string }>('POST', '/contracts', place)).address;
}

async function estimateDeployment(client: TestClient, body: object) {
  const wallet = await rich(client);
  return client.send('POST', '/contracts/deploy/estimateFee', { walletId: wallet.id, bytecode: '0x6001', ...body });
}

async function estimateTemplate(client: TestClient) {
  const wallet = await rich(client);
  const { id, blockchain } = wallet;
  return client.send('POST', `/templates/${TEMPLATE.ERC20}/deploy/estimateFee`, {
    walletId: id,
    blockchain,
    templateParameters: parametersFor(wallet),
  });
}

async function execute(client: TestClient, body: object) {
  const { id } = await rich(client);
  return client.postWithKey('/developer/transactions/contractExecution', {
    walletId: id,
    contractAddress: USDC['ETH-SEPOLIA'],
    feeLevel: 'MEDIUM',
    ...body,
  });
}

async function goDown(client: TestClient) {
  await client.world.control.call('POST', '/chains/ETH-SEPOLIA/down', { down: true });
}

const INPUTS = '[{"type":"constructor","inputs":[{"type":"uint256","name":"supply"}]}]';

/** Codes of contracts, templates and event monitors, and codes that only contract calls return. */
export const CONTRACTS: readonly ErrorCodeCase[] = [
  { code: 175001, status: 404, cause: 'request', trigger: (client) => client.get(`/contracts/${randomUUID()}`) },
  {
    code: 175002,
    status: 400,
    cause: 'request',
    trigger: async (client) => query(client, { address: await foreignContract(client), ...decimals }),
  },
  {
    code: 175003,
    status: 400,
    cause: 'request',
    trigger: async (client) => deploy(client, await rich(client), { abiJson: INPUTS, constructorParameters: [] }),
  },
  {
    code: 175004,
    status: 409,
    cause: 'request',
    trigger: async (client) => {
      await imported(client);
      return importContract(client);
    },
  },
  { code: 175005, status: 400, cause: 'request', trigger: (client) => importContract(client, { address: NOWHERE }) },
  {
    code: 175006,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      await client.send('PATCH', `/contracts/${await imported(client)}`, { archived: true });
      return query(client, decimals);
    },
  },
  {
    code: 175007,
    status: 400,
    cause: 'request',
    trigger: async (client) => deploy(client, await rich(client), { abiJson: '{"not":"an ABI"}' }),
  },
  {
    code: 175008,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const implementation = await foreignContract(client, { implementation: USDC['ETH-SEPOLIA'] });
      return importContract(client, { address: await foreignContract(client, { implementation }) });
    },
  },
  {
    code: 175009,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const { data } = await deploy(client, await rich(client));
      return client.send('PATCH', `/contracts/${data.contractId}`, { archived: true });
    },
  },
  {
    code: 175010,
    status: 400,
    cause: 'request',
    trigger: (client) => query(client, { abiFunctionSignature: 'nothing()' }),
  },
  {
    code: 175011,
    status: 400,
    cause: 'request',
    trigger: async (client) => client.send('PATCH', `/contracts/${await imported(client)}`, {}),
  },
  {
    code: 175012,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await goDown(client);
      return query(client, decimals);
    },
  },
  {
    code: 175013,
    status: 400,
    cause: 'request',
    trigger: (client) =>
      query(client, { abiFunctionSignature: 'transfer(address,uint256)', abiParameters: [OTHER, '1'] }),
  },
  {
    code: 175201,
    status: 404,
    cause: 'request',
    trigger: async (client) => {
      const { id, blockchain } = await rich(client);
      const body = { walletId: id, blockchain };
      return client.send('POST', `/templates/${randomUUID()}/deploy/estimateFee`, body);
    },
  },
  {
    code: 175202,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.call('PUT', `/templates/${TEMPLATE.ERC20}`, { enabled: false });
      return deployTemplate(client, await rich(client), 'ERC20');
    },
  },
  {
    code: 175203,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const wallet = await rich(client);
      const templateParameters = { ...parametersFor(wallet), royaltyPercent: 2 };
      return deployTemplate(client, wallet, 'ERC721', { templateParameters });
    },
  },
  {
    code: 175204,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      deployTemplate(client, await rich(client), 'ERC20', { templateParameters: { name: 'A' } }),
  },
  {
    code: 175205,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await client.world.control.call('PUT', `/templates/${TEMPLATE.ERC20}`, { estimable: false });
      return estimateTemplate(client);
    },
  },
  {
    code: 175301,
    status: 404,
    cause: 'request',
    trigger: (client) => client.send('DELETE', `/contracts/monitors/${randomUUID()}`),
  },
  {
    code: 175302,
    status: 409,
    cause: 'request',
    trigger: async (client) => {
      await imported(client);
      await monitor(client);
      return monitor(client);
    },
  },
  {
    code: 175303,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      await imported(client);
      return monitor(client, { eventSignature: 'Moved(address)' });
    },
  },
  {
    code: 175407,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await goDown(client);
      return importContract(client);
    },
  },
  { code: 175410, status: 400, cause: 'request', trigger: (client) => importContract(client, { address: '0x12' }) },
  {
    code: 177901,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const address = await deployAndSettle(client, await rich(client), 'ERC721');
      return query(client, { address, abiFunctionSignature: 'ownerOf(uint256)', abiParameters: ['7'] });
    },
  },
  {
    code: 155205,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      estimate(client, await rich(client), USDC['ETH-SEPOLIA'], 'transfer(address,uint256)', OTHER, '1'),
  },
  {
    code: 155206,
    status: 400,
    cause: 'request',
    trigger: async (client) => {
      const [owner, attacker] = await client.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
      await client.fund(owner!, { native: '1' });
      const address = await deployAndSettle(client, owner!, 'ERC721');
      await callAndSettle(client, owner!, address, 'mintTo(address,string)', owner!.address, 'ipfs://0');
      const signature = 'transferFrom(address,address,uint256)';
      return estimate(client, attacker!, address, signature, owner!.address, attacker!.address, '0');
    },
  },
  {
    code: 155207,
    status: 400,
    cause: 'request',
    trigger: (client) => estimateDeployment(client, { bytecode: `0x${'60'.repeat(150_000)}` }),
  },
  {
    code: 155208,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      estimate(client, await rich(client), USDC['ETH-SEPOLIA'], 'mint(address,uint256)', OTHER, '1'),
  },
  {
    code: 155209,
    status: 400,
    cause: 'request',
    trigger: async (client) =>
      call(client, await rich(client), USDC['ETH-SEPOLIA'], 'transfer(address,uint256)', OTHER, 'many'),
  },
  {
    code: 155210,
    status: 400,
    cause: 'setting',
    trigger: async (client) => {
      await goDown(client);
      return estimateTemplate(client);
    },
  },
  { code: 155230, status: 400, cause: 'request', trigger: (client) => execute(client, {}) },
  { code: 155243, status: 400, cause: 'request', trigger: (client) => estimateDeployment(client, { bytecode: '' }) },
  {
    code: 155245,
    status: 400,
    cause: 'request',
    trigger: (client) => execute(client, { callData: '0x', amount: 'some' }),
  },
  {
    code: 155247,
    status: 400,
    cause: 'request',
    trigger: (client) => execute(client, { callData: '0x', abiFunctionSignature: 'symbol()' }),
  },
];
