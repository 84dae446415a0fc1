import { z } from 'zod';
import { CONTRACT_BLOCKCHAINS } from '../../domain/chains';
import { endpoint } from './endpoint';
import {
  CONTRACT_INPUT_TYPES,
  CONTRACT_STATUSES,
  contractResource,
  eventLog,
  eventMonitor,
  feeEstimate,
} from './resources';
import { FEE_RULES, ONE_CALL, ONE_SOURCE } from './rules';
import { data, idParams, paging, rows, uuid } from './schema';
import { effectFields, ESTIMATE_ERRORS, feeFields, sourceFields, SUBMIT_ERRORS } from './transactionFields';

const contractBlockchain = z.enum(CONTRACT_BLOCKCHAINS);

/** Letters and digits only, by the API reference, although public examples contain spaces. */
const contractName = z
  .string()
  .min(1)
  .regex(/^[a-zA-Z0-9]+$/, 'must contain only letters and digits');
/** A JSON object of parameters by name. */
const templateParameters = z.record(z.string(), z.unknown()).optional();

const estimateSource = { ...sourceFields, blockchain: contractBlockchain.optional() };
const constructorFields = {
  bytecode: z.string().optional(),
  abiJson: z.string().optional(),
  /** `constructor(string,uint256)`, instead of the ABI. */
  constructorSignature: z.string().min(1).max(1000).optional(),
  constructorParameters: z.array(z.unknown()).optional(),
};
const deploymentFields = {
  ...effectFields,
  ...feeFields,
  walletId: uuid,
  blockchain: contractBlockchain,
  description: z.string().optional(),
};

const Contract = data(z.object({ contract: contractResource }));
const Monitor = data(z.object({ eventMonitor }));
const Estimate = data(feeEstimate);

const NO_BYTECODE = [155243, (body: { bytecode?: string | undefined }) => !body.bytecode] as const;
const CONSTRUCTOR_ERRORS = [175002, 175003, 175007, 155209] as const;
const TEMPLATE_ERRORS = [156009, 175201, 175202, 175203, 175204] as const;
const DEPLOYMENT_ERRORS = [
  155201,
  155211,
  155225,
  155232,
  155233,
  155235,
  155238,
  155501,
  156001,
  156006,
  175407,
  ...SUBMIT_ERRORS,
] as const;
const DEPLOYMENT_ESTIMATE_ERRORS = [155225, 155226, 155510, 156001, 156006, ...ESTIMATE_ERRORS] as const;

/** Contracts, templates, event monitors and event logs (docs/api-behavior.md#contracts-and-event-monitors). */
export const contracts = {
  listContracts: endpoint({
    method: 'GET',
    path: '/contracts',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      blockchain: contractBlockchain.optional(),
      contractInputType: z.enum(CONTRACT_INPUT_TYPES).optional(),
      deployerAddress: z.string().optional(),
      name: z.string().optional(),
      status: z.enum(CONTRACT_STATUSES).optional(),
      ...paging,
    }),
    response: data(z.object({ contracts: rows(contractResource) })),
    errors: [156012, 156014],
    summary: 'Lists imported and deployed contracts, newest first',
  }),
  getContract: endpoint({
    method: 'GET',
    path: '/contracts/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: Contract,
    errors: [156009, 175001],
    summary: 'Returns one contract',
  }),
  importContract: endpoint({
    method: 'POST',
    path: '/contracts/import',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      name: contractName,
      description: z.string().optional(),
      address: z.string().min(1),
      blockchain: contractBlockchain,
      /** Checks again whether the source code is verified. */
      refreshVerification: z.boolean().optional(),
    }),
    response: Contract,
    errors: [156006, 175004, 175005, 175008, 175009, 175407, 175410],
    summary: 'Imports a contract that exists on a blockchain',
  }),
  deployContract: endpoint({
    method: 'POST',
    path: '/contracts/deploy',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      ...deploymentFields,
      name: contractName,
      abiJson: z.string(),
      bytecode: z.string().optional(),
      constructorParameters: z.array(z.unknown()).optional(),
    }),
    response: data(z.object({ contractId: z.string(), transactionId: z.string() })),
    rules: [NO_BYTECODE, ...FEE_RULES],
    errors: [...CONSTRUCTOR_ERRORS, ...DEPLOYMENT_ERRORS],
    summary: 'Deploys a contract from its bytecode',
  }),
  estimateContractDeployFee: endpoint({
    method: 'POST',
    path: '/contracts/deploy/estimateFee',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({ ...constructorFields, ...estimateSource }),
    response: Estimate,
    rules: [...ONE_SOURCE, NO_BYTECODE],
    errors: [...CONSTRUCTOR_ERRORS, ...DEPLOYMENT_ESTIMATE_ERRORS],
    summary: 'Estimates the fees of a deployment at three levels',
  }),
  updateContract: endpoint({
    method: 'PATCH',
    path: '/contracts/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'natural',
    params: idParams,
    body: z.object({
      name: contractName.optional(),
      description: z.string().optional(),
      archived: z.boolean().optional(),
    }),
    response: Contract,
    rules: [[175011, (body) => Object.values(body).every((value) => value === undefined)]],
    errors: [156009, 175001, 175006, 175009],
    summary: 'Renames, describes or archives a contract',
  }),
  queryContract: endpoint({
    method: 'POST',
    path: '/contracts/query',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    body: z.object({
      address: z.string().min(1),
      blockchain: contractBlockchain,
      abiFunctionSignature: z.string().optional(),
      abiParameters: z.array(z.unknown()).optional(),
      abiJson: z.string().optional(),
      callData: z.string().optional(),
      /** The address that the contract sees as the caller. */
      fromAddress: z.string().optional(),
    }),
    response: data(z.object({ outputValues: z.array(z.unknown()), outputData: z.string() })),
    rules: ONE_CALL,
    errors: [155209, 156006, 175002, 175005, 175006, 175007, 175009, 175010, 175012, 175013, 175410, 177901],
    summary: 'Reads the state of a contract',
  }),
  deployContractTemplate: endpoint({
    method: 'POST',
    path: '/templates/{id}/deploy',
    auth: 'entitySecret',
    limit: 'post',
    idempotency: 'key',
    params: idParams,
    body: z.object({ ...deploymentFields, name: z.string().min(1).max(100), templateParameters }),
    response: data(z.object({ contractIds: z.array(z.string()), transactionId: z.string() })),
    rules: FEE_RULES,
    errors: [...TEMPLATE_ERRORS, ...DEPLOYMENT_ERRORS],
    summary: 'Deploys a contract from a template',
  }),
  estimateContractTemplateDeployFee: endpoint({
    method: 'POST',
    path: '/templates/{id}/deploy/estimateFee',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'repeatable',
    params: idParams,
    body: z.object({ ...estimateSource, blockchain: contractBlockchain, templateParameters }),
    response: Estimate,
    rules: ONE_SOURCE,
    errors: [...TEMPLATE_ERRORS, 175205, ...DEPLOYMENT_ESTIMATE_ERRORS],
    summary: 'Estimates the fees of a template deployment at three levels',
  }),
  listEventMonitors: endpoint({
    method: 'GET',
    path: '/contracts/monitors',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      contractAddress: z.string().optional(),
      blockchain: contractBlockchain.optional(),
      eventSignature: z.string().optional(),
      ...paging,
    }),
    response: data(z.object({ eventMonitors: rows(eventMonitor) })),
    errors: [156012, 156014],
    summary: 'Lists event monitors, newest first',
  }),
  createEventMonitor: endpoint({
    method: 'POST',
    path: '/contracts/monitors',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({
      idempotencyKey: uuid,
      blockchain: contractBlockchain,
      contractAddress: z.string().min(1),
      eventSignature: z.string().min(1),
    }),
    response: Monitor,
    errors: [156006, 175001, 175006, 175009, 175302, 175303, 175410],
    summary: 'Monitors an event of an imported contract',
  }),
  updateEventMonitor: endpoint({
    method: 'PUT',
    path: '/contracts/monitors/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'natural',
    params: idParams,
    body: z.object({ isEnabled: z.boolean() }),
    response: Monitor,
    errors: [156009, 175301],
    summary: 'Enables or disables an event monitor',
  }),
  deleteEventMonitor: endpoint({
    method: 'DELETE',
    path: '/contracts/monitors/{id}',
    auth: 'apiKey',
    limit: 'write',
    idempotency: 'natural',
    params: idParams,
    errors: [156009, 175301],
    summary: 'Deletes an event monitor',
  }),
  listEventLogs: endpoint({
    method: 'GET',
    path: '/contracts/events',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      contractAddress: z.string().optional(),
      blockchain: contractBlockchain.optional(),
      ...paging,
    }),
    response: data(z.object({ eventLogs: rows(eventLog) })),
    errors: [156012, 156014],
    summary: 'Lists the events that monitors have recorded, newest first',
  }),
};
