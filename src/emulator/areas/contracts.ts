import type { Hex } from 'viem';
import { checksumAddress } from '../../crypto/addresses';
import { sameAddress, type Blockchain } from '../../domain/chains';
import type { Handlers } from '../area';
import { codeAt } from '../chains/evm/code';
import { requireReachable } from '../checks/call';
import { requireContractAddress, requireKeyKind } from '../checks/source';
import { addContract, contractOf, describeAbi, findContract, shownContract } from '../contractLibrary';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { Contract } from '../resources';
import type { ContractRow } from '../store';
import type { World } from '../world';
import { contractDeployments } from './contractDeployments';
import { contractQueries } from './contractQueries';
import { eventMonitors } from './eventMonitors';

export const contracts: Handlers<'contracts'> = {
  ...contractDeployments,
  ...contractQueries,
  ...eventMonitors,

  listContracts({ world, query, url }) {
    const { blockchain, contractInputType, deployerAddress, name, status } = query;
    const { rows, headers } = page(
      { query, url },
      {
        rows: world.store.contracts.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        keep(row) {
          const shown = shownContract(world, row);
          const deployer = shown.deployerAddress ?? '';
          return (
            (blockchain === undefined || shown.blockchain === blockchain) &&
            (contractInputType === undefined || shown.contractInputType === contractInputType) &&
            (name === undefined || shown.name === name) &&
            (status === undefined || shown.status === status) &&
            (deployerAddress === undefined || sameAddress(shown.blockchain, deployer, deployerAddress))
          );
        },
      },
    );
    return { headers, body: { data: { contracts: rows.map((row) => shownContract(world, row)) } } };
  },

  getContract({ world, params }) {
    return answer(world, contractOf(world, params.id));
  },

  importContract({ world, body }) {
    const { blockchain, name, description } = body;
    requireKeyKind(world, blockchain);
    requireReachable(world, blockchain, 175407);
    requireContractAddress(body.address);
    const earlier = findContract(world, blockchain, body.address);
    if (earlier) throw new Refusal(shownContract(world, earlier).status === 'PENDING' ? 175009 : 175004);
    const code = codeAt(world, blockchain, body.address);
    if (!code) throw new Refusal(175005);
    const row = addContract(world, {
      name,
      description,
      blockchain,
      contractInputType: 'IMPORT',
      contractAddress: checksumAddress(body.address),
      verificationStatus: code.abi ? 'VERIFIED' : 'UNVERIFIED',
      ...describeAbi(code.abi),
      implementationContract: code.implementation && implementationAt(world, blockchain, code.implementation),
    });
    return { ...answer(world, row), status: 201 };
  },

  updateContract({ world, params, body }) {
    const row = contractOf(world, params.id);
    const { status, archived } = shownContract(world, row);
    if (body.archived && status === 'PENDING') throw new Refusal(175009);
    if (archived && body.archived !== false) throw new Refusal(175006);
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    row.resource = { ...row.resource, ...given, updateDate: world.clock.now().toISOString() };
    return answer(world, row);
  },
};

/** @throws Refusal 175008: what a proxy stands for is a proxy itself */
function implementationAt(world: World, blockchain: Blockchain, address: Hex): Contract['implementationContract'] {
  const code = codeAt(world, blockchain, address);
  if (code?.implementation) throw new Refusal(175008);
  return { blockchain, contractAddress: address, ...describeAbi(code?.abi) };
}

function answer(world: World, row: ContractRow) {
  return { body: { data: { contract: shownContract(world, row) } } };
}
