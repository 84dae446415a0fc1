import { randomUUID } from 'node:crypto';
import type { Chain } from '../chain/support';
import {
  TEMPLATE,
  USDC,
  call,
  called,
  deploy,
  deployTemplate,
  deployed,
  estimate,
  importContract,
  monitor,
  parametersFor,
  query,
} from '../contracts/support';
import type { Deserved } from './deserved';

const NOWHERE = '0x00000000000000000000000000000000000000ff';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const decimals = { abiFunctionSignature: 'decimals()' };

async function rich(chain: Chain) {
  const wallet = await chain.wallet();
  await chain.fund(wallet, { native: '1' });
  return wallet;
}

async function imported(chain: Chain): Promise<string> {
  return (await importContract(chain)).data.contract.id as string;
}

/** A stranger's contract. */
async function stranger(chain: Chain, body: object = {}): Promise<string> {
  const place = { blockchain: 'ETH-SEPOLIA', ...body };
  return (await chain.world.control.call<{ address: string }>('POST', '/contracts', place)).address;
}

async function estimateDeployment(chain: Chain, body: object) {
  const wallet = await rich(chain);
  return chain.send('POST', '/contracts/deploy/estimateFee', { walletId: wallet.id, bytecode: '0x6001', ...body });
}

async function estimateTemplate(chain: Chain) {
  const wallet = await rich(chain);
  const { id, blockchain } = wallet;
  return chain.send('POST', `/templates/${TEMPLATE.ERC20}/deploy/estimateFee`, {
    walletId: id,
    blockchain,
    templateParameters: parametersFor(wallet),
  });
}

async function execute(chain: Chain, body: object) {
  const { id } = await rich(chain);
  return chain.effect('/developer/transactions/contractExecution', {
    walletId: id,
    contractAddress: USDC['ETH-SEPOLIA'],
    feeLevel: 'MEDIUM',
    ...body,
  });
}

async function goDown(chain: Chain) {
  await chain.world.control.call('POST', '/chains/ETH-SEPOLIA/down', { down: true });
}

const INPUTS = '[{"type":"constructor","inputs":[{"type":"uint256","name":"supply"}]}]';

/** Contracts, templates, event monitors, and what only contract calls reach. */
export const CONTRACTS: readonly Deserved[] = [
  { code: 175001, status: 404, by: 'request', earn: (chain) => chain.get(`/contracts/${randomUUID()}`) },
  {
    code: 175002,
    status: 400,
    by: 'request',
    earn: async (chain) => query(chain, { address: await stranger(chain), ...decimals }),
  },
  {
    code: 175003,
    status: 400,
    by: 'request',
    earn: async (chain) => deploy(chain, await rich(chain), { abiJson: INPUTS, constructorParameters: [] }),
  },
  {
    code: 175004,
    status: 409,
    by: 'request',
    earn: async (chain) => {
      await imported(chain);
      return importContract(chain);
    },
  },
  { code: 175005, status: 400, by: 'request', earn: (chain) => importContract(chain, { address: NOWHERE }) },
  {
    code: 175006,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      await chain.send('PATCH', `/contracts/${await imported(chain)}`, { archived: true });
      return query(chain, decimals);
    },
  },
  {
    code: 175007,
    status: 400,
    by: 'request',
    earn: async (chain) => deploy(chain, await rich(chain), { abiJson: '{"not":"an ABI"}' }),
  },
  {
    code: 175008,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const implementation = await stranger(chain, { implementation: USDC['ETH-SEPOLIA'] });
      return importContract(chain, { address: await stranger(chain, { implementation }) });
    },
  },
  {
    code: 175009,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const { data } = await deploy(chain, await rich(chain));
      return chain.send('PATCH', `/contracts/${data.contractId}`, { archived: true });
    },
  },
  { code: 175010, status: 400, by: 'request', earn: (chain) => query(chain, { abiFunctionSignature: 'nothing()' }) },
  {
    code: 175011,
    status: 400,
    by: 'request',
    earn: async (chain) => chain.send('PATCH', `/contracts/${await imported(chain)}`, {}),
  },
  {
    code: 175012,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await goDown(chain);
      return query(chain, decimals);
    },
  },
  {
    code: 175013,
    status: 400,
    by: 'request',
    earn: (chain) => query(chain, { abiFunctionSignature: 'transfer(address,uint256)', abiParameters: [OTHER, '1'] }),
  },
  {
    code: 175201,
    status: 404,
    by: 'request',
    earn: async (chain) => {
      const { id, blockchain } = await rich(chain);
      const body = { walletId: id, blockchain };
      return chain.send('POST', `/templates/${randomUUID()}/deploy/estimateFee`, body);
    },
  },
  {
    code: 175202,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.call('PUT', `/templates/${TEMPLATE.ERC20}`, { enabled: false });
      return deployTemplate(chain, await rich(chain), 'ERC20');
    },
  },
  {
    code: 175203,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const wallet = await rich(chain);
      const templateParameters = { ...parametersFor(wallet), royaltyPercent: 2 };
      return deployTemplate(chain, wallet, 'ERC721', { templateParameters });
    },
  },
  {
    code: 175204,
    status: 400,
    by: 'request',
    earn: async (chain) => deployTemplate(chain, await rich(chain), 'ERC20', { templateParameters: { name: 'A' } }),
  },
  {
    code: 175205,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await chain.world.control.call('PUT', `/templates/${TEMPLATE.ERC20}`, { estimable: false });
      return estimateTemplate(chain);
    },
  },
  {
    code: 175301,
    status: 404,
    by: 'request',
    earn: (chain) => chain.send('DELETE', `/contracts/monitors/${randomUUID()}`),
  },
  {
    code: 175302,
    status: 409,
    by: 'request',
    earn: async (chain) => {
      await imported(chain);
      await monitor(chain);
      return monitor(chain);
    },
  },
  {
    code: 175303,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      await imported(chain);
      return monitor(chain, { eventSignature: 'Moved(address)' });
    },
  },
  {
    code: 175407,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await goDown(chain);
      return importContract(chain);
    },
  },
  { code: 175410, status: 400, by: 'request', earn: (chain) => importContract(chain, { address: '0x12' }) },
  {
    code: 177901,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const address = await deployed(chain, await rich(chain), 'ERC721');
      return query(chain, { address, abiFunctionSignature: 'ownerOf(uint256)', abiParameters: ['7'] });
    },
  },
  {
    code: 155205,
    status: 400,
    by: 'request',
    earn: async (chain) =>
      estimate(chain, await rich(chain), USDC['ETH-SEPOLIA'], 'transfer(address,uint256)', OTHER, '1'),
  },
  {
    code: 155206,
    status: 400,
    by: 'request',
    earn: async (chain) => {
      const [owner, thief] = await chain.wallets({ blockchains: ['ETH-SEPOLIA'], count: 2 });
      await chain.fund(owner!, { native: '1' });
      const address = await deployed(chain, owner!, 'ERC721');
      await called(chain, owner!, address, 'mintTo(address,string)', owner!.address, 'ipfs://0');
      const signature = 'transferFrom(address,address,uint256)';
      return estimate(chain, thief!, address, signature, owner!.address, thief!.address, '0');
    },
  },
  {
    code: 155207,
    status: 400,
    by: 'request',
    earn: (chain) => estimateDeployment(chain, { bytecode: `0x${'60'.repeat(150_000)}` }),
  },
  {
    code: 155208,
    status: 400,
    by: 'request',
    earn: async (chain) => estimate(chain, await rich(chain), USDC['ETH-SEPOLIA'], 'mint(address,uint256)', OTHER, '1'),
  },
  {
    code: 155209,
    status: 400,
    by: 'request',
    earn: async (chain) =>
      call(chain, await rich(chain), USDC['ETH-SEPOLIA'], 'transfer(address,uint256)', OTHER, 'many'),
  },
  {
    code: 155210,
    status: 400,
    by: 'setting',
    earn: async (chain) => {
      await goDown(chain);
      return estimateTemplate(chain);
    },
  },
  { code: 155230, status: 400, by: 'request', earn: (chain) => execute(chain, {}) },
  { code: 155243, status: 400, by: 'request', earn: (chain) => estimateDeployment(chain, { bytecode: '' }) },
  {
    code: 155245,
    status: 400,
    by: 'request',
    earn: (chain) => execute(chain, { callData: '0x', amount: 'some' }),
  },
  {
    code: 155247,
    status: 400,
    by: 'request',
    earn: (chain) => execute(chain, { callData: '0x', abiFunctionSignature: 'symbol()' }),
  },
];
