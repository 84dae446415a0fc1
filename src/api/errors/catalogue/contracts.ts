import { entriesOf } from '../entry';

/**
 * Contracts, templates, event monitors and the contract platform's own paymaster errors (175xxx, 177xxx). The codes
 * that repeat errors of wallets and transactions are in `contractDuplicates.ts`.
 *
 * The statuses of 175406, 175407, 175410 and of the 177xxx from 177011 on are not published: 400 is assumed, 404 for
 * "not found". 177001–177010 are published as 400.
 */
// prettier-ignore
export const CONTRACT_ERRORS = entriesOf([
  // Contracts
  [175001, 'ContractNotFound', 404, 'refused', 'The entity has no such contract', 'import or deploy the contract first, or check its id and address'],
  [175002, 'ContractAbiMissing', 400, 'refused', 'No ABI is known for the contract', 'import the contract with its ABI'],
  [175003, 'ConstructorParametersMismatch', 400, 'refused', 'The constructor takes a different number of parameters', 'provide one value for each parameter of the constructor'],
  [175004, 'ContractExists', 409, 'resolve', 'The contract is already imported', 'look the contract up by its address and adopt it'],
  [175005, 'NotAContractAddress', 400, 'refused', 'There is no contract at this address', 'check address and blockchain'],
  [175006, 'ContractArchived', 400, 'refused', 'The contract is archived', 'restore the contract from the archive first'],
  [175007, 'AbiInvalid', 400, 'refused', 'The ABI is not a valid JSON ABI', 'correct the ABI'],
  [175008, 'NestedProxyUnsupported', 400, 'refused', 'The contract is a proxy of a proxy', 'import the implementation contract instead'],
  [175009, 'ContractDeploymentPending', 400, 'wait', 'The contract is still being deployed', 'wait until the deployment is complete'],
  [175010, 'AbiFunctionNotFound', 400, 'refused', 'The ABI has no such function', 'check the function signature against the ABI'],
  [175011, 'ContractUpdateEmpty', 400, 'refused', 'The update changes nothing', 'set at least one field to change'],
  [175012, 'ContractQueryFailed', 400, 'transient', 'The contract could not be queried', 'send the request again; if it persists, check the state of the blockchain'],
  [175013, 'AbiFunctionUnsupported', 400, 'refused', 'This kind of ABI function cannot be called here', 'choose another function of the contract'],
  // Templates
  [175201, 'TemplateNotFound', 404, 'refused', 'No template has this id', 'check the template id'],
  [175202, 'TemplateDisabled', 400, 'attention', 'The template cannot be deployed at the moment', 'wait until the template is enabled again'],
  [175203, 'TemplateParameterInvalid', 400, 'refused', 'A template parameter has an invalid value', 'correct the template parameters'],
  [175204, 'TemplateParameterMissing', 400, 'refused', 'A required template parameter is missing', 'add the missing template parameter'],
  [175205, 'EstimationUnsupported', 400, 'refused', 'The fee of this deployment cannot be estimated', 'deploy without an estimate'],
  // Event monitors
  // For a delete, nothing is left to do. For an update, create the monitor again.
  [175301, 'EXT_EVENT_SUBSCRIPTION_NOT_FOUND', 404, 'resolve', 'No event monitor has this id', 'create the monitor again if it is still needed'],
  [175302, 'EXT_EVENT_SUBSCRIPTION_ALREADY_EXISTS', 409, 'resolve', 'The contract already has a monitor for this event', 'look the monitor up and adopt it'],
  [175303, 'EXT_EVENT_SIGNATURE_DOES_NOT_EXIST', 400, 'refused', 'The contract has no event with this signature', 'check the event signature against the ABI; it has no spaces'],
  // Shared by the 175xxx endpoints
  [175406, 'ContractFeatureDisabled', 400, 'attention', 'The feature is switched off at the moment', 'wait until the feature is enabled again'],
  [175407, 'ContractBlockchainUnavailable', 400, 'transient', 'The blockchain cannot be reached at the moment', 'send the request again; if it persists, check the status page of the API'],
  [175409, 'EntityRestricted', 403, 'halt', 'The entity is restricted and may not do this', "ask the API's support to lift the restriction"],
  [175410, 'ContractAddressInvalid', 400, 'refused', 'The address is malformed', 'correct the address'],
  // Transactions and estimates
  [177018, 'PaymasterPolicyInactive', 400, 'attention', 'The paymaster policy is not active', 'activate the paymaster policy in the console'],
  [177019, 'PaymasterDailyTransactionsExceeded', 400, 'attention', 'The paymaster policy allows no more transactions today', 'raise the daily number of transactions in the policy, or wait until tomorrow'],
  [177020, 'PaymasterTransactionSpendExceeded', 400, 'attention', 'The fee exceeds what the paymaster policy pays for one transaction', 'raise the limit per transaction in the policy'],
  [177021, 'PaymasterDailySpendExceeded', 400, 'attention', 'The paymaster policy has reached its daily spend limit', 'raise the daily spend in the policy, or wait until tomorrow'],
  [177022, 'PaymasterDailyNativeTokenExceeded', 400, 'attention', 'The paymaster policy has reached its daily limit of native tokens', 'raise the daily native token limit in the policy, or wait until tomorrow'],
  [177023, 'PaymasterSenderBlocked', 400, 'attention', 'The sender is on the block list of the paymaster policy', 'remove the sender from the block list if it is there by mistake'],
  [177601, 'ContractTxWalletNotFound', 404, 'refused', 'No wallet with this id is accessible', 'check the wallet id and that it belongs to this entity'],
  [177901, 'SmartContractQueryFailed', 400, 'refused', 'The query of the smart contract failed', 'check address, function and parameters of the query'],
]);
