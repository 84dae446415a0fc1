import type { Hex } from 'viem';
import { toHex } from 'viem/utils';
import type { Blockchain } from '../../domain/chains';
import type { Handlers } from '../area';
import type { Action } from '../chains/evm/action';
import { parseAbiJson } from '../checks/abi';
import { deploymentGas, requireContracts, requireReachable } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import type { FeeFields } from '../checks/fee';
import { sendingWallet, sourceOf, type Source } from '../checks/source';
import { addContract, describeAbi } from '../contractLibrary';
import { complete } from '../drafts';
import { estimate } from '../estimates';
import { Refusal } from '../refusal';
import type { Contract } from '../resources';
import type { ContractRow } from '../store';
import { TEMPLATES, checkTemplateParameters, type Template } from '../templates';
import { submit } from '../transactionMachine';
import type { World } from '../world';

/** The part of the contracts area that deploys, from byte code or a template. */
export const contractDeployments: Pick<
  Handlers<'contracts'>,
  'deployContract' | 'estimateContractDeployFee' | 'deployContractTemplate' | 'estimateContractTemplateDeployFee'
> = {
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
  const draft = complete(world, source, body, {
    movements: [],
    gas: deploymentGas(action.initCode),
    action,
    shown: { operation: 'CONTRACT_DEPLOYMENT', refId },
  });
  const transaction = submit(world, draft);
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
