import type { Hex } from 'viem';
import { toHex } from 'viem/utils';
import type { Blockchain } from '../../domain/chains';
import { deploymentGas, requireContracts, requireReachable } from '../checks/call';
import { initCodeOf } from '../checks/deployment';
import { estimate } from '../checks/estimates';
import type { FeeFields } from '../checks/fee';
import { completeDraft } from '../checks/transactionDrafts';
import { abiFields, addContract } from '../contracts/contracts';
import type { ContractRow } from '../contracts/state';
import { checkTemplateParameters, type Template, TEMPLATES } from '../contracts/templates';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { parseAbiJson } from '../evm/abiJson';
import type { Handlers } from '../http/handler';
import type { Contract } from '../ledger/resources';
import { submit } from '../transactions/transactionMachine';
import { type Sender, senderOf, sendingWallet } from '../wallets/sender';
import type { Action } from '../world/evmAction';
import type { World } from '../world/world';

/** The handlers of the API's contract endpoints that deploy, from byte code or a template. */
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
      contract: { contractInputType: 'BYTECODE', ...abiFields(abi) },
    });
    const { deploymentTransactionId: transactionId = '' } = row.resource;
    return { status: 201, body: { data: { contractId: row.id, transactionId } } };
  },

  estimateContractDeployFee({ world, body }) {
    const source = senderOf(world, body);
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
      contract: { contractInputType: 'TEMPLATE', verificationStatus: 'VERIFIED', ...abiFields(template.abi) },
    });
    const { deploymentTransactionId: transactionId = '' } = row.resource;
    return { status: 201, body: { data: { contractIds: [row.id], transactionId } } };
  },

  estimateContractTemplateDeployFee({ world, params, body }) {
    const source = senderOf(world, body);
    const template = templateOf(world, params.id);
    if (world.contractLibrary.templateStates.get(template.id)?.estimable === false) throw new ApiErrorResponse(175205);
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

/** @throws ApiErrorResponse those of `senderOf` and `sendingWallet`, and 175407 the blockchain's nodes are unreachable */
function deployer(world: World, body: DeploymentBody): Sender {
  const source = senderOf(world, body);
  sendingWallet(source);
  requireReachable(world, source.blockchain, 175407);
  return source;
}

/** Submits the deployment transaction and adds its contract. */
function deploy(world: World, source: Sender, body: DeploymentBody, { action, contract }: Deployment): ContractRow {
  const { name, description, refId } = body;
  const { id, resource } = sendingWallet(source);
  const draft = completeDraft(world, source, body, {
    movements: [],
    gas: deploymentGas(action.initCode),
    action,
    fields: { operation: 'CONTRACT_DEPLOYMENT', refId },
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

/** @throws ApiErrorResponse 175201 unknown, 175202 disabled */
function templateOf({ contractLibrary }: World, id: string): Template {
  const template = TEMPLATES.find((entry) => entry.id === id.toLowerCase());
  if (!template) throw new ApiErrorResponse(175201);
  if (contractLibrary.templateStates.get(template.id)?.enabled === false) throw new ApiErrorResponse(175202);
  return template;
}

/** The init code is derived from the id and parameters, because a template's byte code is not public. */
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
