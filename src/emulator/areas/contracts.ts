import type { Hex } from 'viem';
import { toHex } from 'viem/utils';
import { checksumAddress } from '../../crypto/addresses';
import { sameAddress, type Blockchain } from '../../domain/chains';
import type { Handlers } from '../area';
import type { Action } from '../chains/evm/action';
import { codeAt } from '../chains/evm/code';
import { parseAbiJson } from '../checks/abi';
import { deploymentGas, requireContracts, requireReachable } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import type { FeeFields } from '../checks/fee';
import { requireContractAddress, requireKeyKind, sendingWallet, sourceOf, type Source } from '../checks/source';
import { contractOf, describeAbi, findContract, shownContract } from '../contractLibrary';
import { page } from '../paging';
import { Refusal } from '../refusal';
import type { Contract } from '../resources';
import type { ContractRow } from '../store';
import { TEMPLATES, checkTemplateParameters, type Template } from '../templates';
import type { World } from '../world';
import { contractQueries } from './contractQueries';
import { eventMonitors } from './eventMonitors';
import { estimate, send } from './transactions';

export const contracts: Handlers<'contracts'> = {
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

  deployContract({ world, body }) {
    const source = deployer(world, body);
    const abi = parseAbiJson(body.abiJson);
    const initCode = initCodeOf(body);
    const row = deploy(world, source, body, {
      action: { type: 'deploy', code: { kind: 'opaque' }, initCode },
      contract: { contractInputType: 'BYTECODE', ...describeAbi(abi) },
    });
    const { deploymentTransactionId: transactionId = '' } = row.resource;
    return { status: 201, body: { data: { contractId: row.id, transactionId } } };
  },

  estimateContractDeployFee({ world, body }) {
    const source = sourceOf(world, body);
    requireContracts(source);
    return estimate(world, source, [], deploymentGas(initCodeOf(body)));
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

  deployContractTemplate({ world, params, body }) {
    const source = deployer(world, body);
    const template = templateOf(world, params.id);
    const { templateParameters = {} } = body;
    checkTemplateParameters(template, templateParameters);
    const row = deploy(world, source, body, {
      action: templateAction(template, templateParameters),
      contract: { contractInputType: 'TEMPLATE', verificationStatus: 'VERIFIED', ...describeAbi(template.abi) },
    });
    const { deploymentTransactionId: transactionId = '' } = row.resource;
    return { status: 201, body: { data: { contractIds: [row.id], transactionId } } };
  },

  estimateContractTemplateDeployFee({ world, params, body }) {
    const source = sourceOf(world, body);
    const template = templateOf(world, params.id);
    if (world.store.templateStates.get(template.id)?.estimable === false) throw new Refusal(175205);
    const { templateParameters = {} } = body;
    checkTemplateParameters(template, templateParameters);
    return estimate(world, source, [], deploymentGas(templateAction(template, templateParameters).initCode));
  },
};

interface DeploymentBody extends FeeFields {
  walletId: string;
  blockchain: Blockchain;
  name: string;
  description?: string | undefined;
  refId?: string | undefined;
}

interface Deployment {
  action: Action & { type: 'deploy' };
  contract: Partial<Contract> & Pick<Contract, 'contractInputType'>;
}

/** @throws Refusal 156001, 155225, 155501, 175407 */
function deployer(world: World, body: DeploymentBody): Source {
  const source = sourceOf(world, body);
  sendingWallet(source);
  requireReachable(world, source.blockchain, 175407);
  return source;
}

/** Sends the transaction that deploys, and adds the contract, which goes with it. */
function deploy(world: World, source: Source, body: DeploymentBody, { action, contract }: Deployment): ContractRow {
  const { name, description, refId } = body;
  const { id, resource } = sendingWallet(source);
  const transaction = send(world, source, body, {
    movements: [],
    gas: deploymentGas(action.initCode),
    action,
    shown: { operation: 'CONTRACT_DEPLOYMENT', refId },
  });
  return addContract(world, {
    name,
    description,
    blockchain: source.blockchain,
    deployerAddress: resource.address,
    deployerWalletID: id,
    deployerUserID: resource.userId,
    deploymentTransactionId: transaction.id,
    ...contract,
  });
}

function addContract(
  world: World,
  given: Partial<Contract> & Pick<Contract, 'name' | 'blockchain' | 'contractInputType'>,
): ContractRow {
  const id = world.random.uuid();
  const at = world.clock.now().toISOString();
  const resource: Contract = {
    id,
    status: 'COMPLETE',
    verificationStatus: 'UNVERIFIED',
    archived: false,
    sourceCode: [],
    functions: [],
    events: [],
    createDate: at,
    updateDate: at,
    ...given,
  };
  return world.store.contracts.add({ id, resource });
}

/** @throws Refusal 175201, 175202 */
function templateOf({ store }: World, id: string): Template {
  const template = TEMPLATES.find((entry) => entry.id === id.toLowerCase());
  if (!template) throw new Refusal(175201);
  if (store.templateStates.get(template.id)?.enabled === false) throw new Refusal(175202);
  return template;
}

/** A template's byte code is not public: its parameters stand in for it. */
function templateAction(template: Template, parameters: Record<string, unknown>): Action & { type: 'deploy' } {
  const { id, kind, abi, decimals } = template;
  const { name, symbol, defaultAdmin } = parameters as Record<string, string | undefined>;
  return {
    type: 'deploy',
    code: { kind, abi, admin: defaultAdmin as Hex },
    initCode: toHex(JSON.stringify({ id, parameters })),
    token: decimals === undefined ? undefined : { name, symbol, standard: kind, decimals },
  };
}

/** @throws Refusal 175008: what a proxy stands for is a proxy itself */
function implementationAt(world: World, blockchain: Blockchain, address: Hex): Contract['implementationContract'] {
  const code = codeAt(world, blockchain, address);
  if (code?.implementation) throw new Refusal(175008);
  return { blockchain, contractAddress: address, ...describeAbi(code?.abi) };
}

function answer(world: World, row: ContractRow) {
  return { body: { data: { contract: shownContract(world, row) } } };
}
