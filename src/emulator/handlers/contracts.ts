import type { Hex } from 'viem';
import { checksumAddress } from '../../crypto/addresses';
import { type Blockchain, sameAddress } from '../../domain/chains';
import { requireReachable } from '../checks/call';
import { abiFields, addContract, contractOf, findContract, presentContract } from '../contracts/contracts';
import type { ContractRow } from '../contracts/state';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { codeAt } from '../evm/contractCode';
import type { Handlers } from '../http/handler';
import type { Contract } from '../ledger/resources';
import { page } from '../requests/paging';
import { requireContractAddress, requireKeyKind } from '../wallets/sender';
import type { World } from '../world/world';
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
        rows: world.contractLibrary.contracts.all(),
        idOf: ({ id }) => id,
        dateOf: ({ resource }) => resource.createDate,
        filter(row) {
          const contract = presentContract(world, row);
          const deployer = contract.deployerAddress ?? '';
          return (
            (blockchain === undefined || contract.blockchain === blockchain) &&
            (contractInputType === undefined || contract.contractInputType === contractInputType) &&
            (name === undefined || contract.name === name) &&
            (status === undefined || contract.status === status) &&
            (deployerAddress === undefined || sameAddress(contract.blockchain, deployer, deployerAddress))
          );
        },
      },
    );
    return { headers, body: { data: { contracts: rows.map((row) => presentContract(world, row)) } } };
  },

  getContract({ world, params }) {
    return contractResponse(world, contractOf(world, params.id));
  },

  importContract({ world, body }) {
    const { blockchain, name, description } = body;
    requireKeyKind(world, blockchain);
    requireReachable(world, blockchain, 175407);
    requireContractAddress(body.address);
    const earlier = findContract(world, blockchain, body.address);
    if (earlier) throw new ApiErrorResponse(presentContract(world, earlier).status === 'PENDING' ? 175009 : 175004);
    const code = codeAt(world, blockchain, body.address);
    if (!code) throw new ApiErrorResponse(175005);
    const row = addContract(world, {
      name,
      description,
      blockchain,
      contractInputType: 'IMPORT',
      contractAddress: checksumAddress(body.address),
      verificationStatus: code.abi ? 'VERIFIED' : 'UNVERIFIED',
      ...abiFields(code.abi),
      implementationContract: code.implementation && implementationAt(world, blockchain, code.implementation),
    });
    return { ...contractResponse(world, row), status: 201 };
  },

  updateContract({ world, params, body }) {
    const row = contractOf(world, params.id);
    const { status, archived } = presentContract(world, row);
    if (body.archived && status === 'PENDING') throw new ApiErrorResponse(175009);
    if (archived && body.archived !== false) throw new ApiErrorResponse(175006);
    const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    row.resource = { ...row.resource, ...changes, updateDate: world.clock.now().toISOString() };
    return contractResponse(world, row);
  },
};

/** @throws ApiErrorResponse 175008 the implementation of a proxy is itself a proxy */
function implementationAt(world: World, blockchain: Blockchain, address: Hex): Contract['implementationContract'] {
  const code = codeAt(world, blockchain, address);
  if (code?.implementation) throw new ApiErrorResponse(175008);
  return { blockchain, contractAddress: address, ...abiFields(code?.abi) };
}

function contractResponse(world: World, row: ContractRow) {
  return { body: { data: { contract: presentContract(world, row) } } };
}
