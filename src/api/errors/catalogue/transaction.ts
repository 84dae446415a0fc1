import { entriesOf } from '../entry';

/**
 * Transactions: transfers, contract execution, their estimates, cancellation and acceleration (155201–155264).
 *
 * For an effect with an earlier attempt of unknown outcome, 155201, 155202 and 155264 prove nothing: that attempt may
 * have caused them.
 */
// prettier-ignore
export const TRANSACTION_ERRORS = entriesOf([
  [155201, 'InsufficientFunds', 400, 'attention', 'The wallet holds too little for this transfer', 'add native tokens to the sending wallet'],
  [155202, 'NonceMismatch', 400, 'wait', 'The nonce does not follow the latest one of the sender', 'let the earlier transaction become final'],
  [155203, 'UserOperationBeforeDeployment', 400, 'wait', 'The wallet is not deployed, and this is not its first user operation', 'let the first user operation (nonce 0) go through'],
  [155204, 'BalanceBelowTotalCost', 400, 'attention', 'Amount and fee together exceed the balance', 'add native tokens to the sending wallet'],
  [155205, 'InsufficientTokenBalance', 400, 'attention', 'The wallet holds too little of the token', 'add the token to the sending wallet'],
  [155206, 'SenderNotTokenOwner', 400, 'attention', 'The sender neither owns the token nor is approved for it', 'approve the sender or send from the owner'],
  [155207, 'GasAboveAllowance', 400, 'attention', 'The transaction needs more gas than is allowed', 'raise the allowance or the balance for gas'],
  // For a mint on the destination chain, read the message again instead: someone else may have minted it.
  [155208, 'EstimationReverted', 400, 'refused', 'The contract reverted when the call was simulated', 'check contract address, function and parameters'],
  [155209, 'AbiParametersMismatch', 400, 'refused', 'The parameters do not fit the ABI function signature', 'correct number and types of the ABI parameters'],
  // An activity retries it a bounded number of times.
  [155210, 'EstimationFailed', 400, 'transient', 'The fee could not be estimated', 'send the request again; if it persists, check the parameters of the transaction'],
  [155211, 'MaxFeeTooHigh', 400, 'attention', 'The product of maxFee and gasLimit exceeds the maximum fee of the blockchain', 'lower maxFee or gasLimit, or have the maximum raised'],
  // The transaction's state may have changed in the meantime: read it again. The same applies to 155227 and 155229.
  [155215, 'OperationUnsupportedForTransaction', 400, 'resolve', 'The transaction does not allow this operation', 'read the state of the transaction and act on that'],
  [155218, 'NftCountInvalid', 400, 'refused', 'The number of NFTs does not fit the token standard', 'send one NFT, or several of an ERC-1155 token'],
  [155219, 'DestinationAddressInvalid', 400, 'refused', 'The destination is not an address of this blockchain', 'correct the destination address'],
  [155220, 'TokenBlockchainMismatch', 400, 'refused', 'Wallet and token are on different blockchains', 'choose a token on the blockchain of the wallet'],
  [155221, 'AmountCountInvalid', 400, 'refused', 'There are more amounts than the token standard permits', 'send a single amount unless the token is ERC-1155'],
  [155222, 'NftMetadataNotFound', 404, 'refused', 'The metadata of the NFT cannot be found', 'check that the contract publishes metadata for the token'],
  [155223, 'UserIdUnsupported', 400, 'refused', 'Transactions cannot be listed by user id', 'omit userId and list by wallet'],
  [155224, 'AmountNotDecimal', 400, 'refused', 'An amount is not a decimal number', 'send amounts as decimal strings'],
  [155225, 'RequestBlockchainMismatch', 400, 'refused', 'The wallet is on a different blockchain than the request names', 'set the blockchain of the wallet, or omit it'],
  [155226, 'SourceAddressInvalid', 400, 'refused', 'The source is not an address of this blockchain', 'correct the source address'],
  [155227, 'TransactionTypeInvalid', 400, 'resolve', 'The operation is for outbound transactions only', 'read the transaction and check its id and type'],
  [155228, 'TokenIdMissing', 400, 'refused', 'The request names no token', 'add the token id'],
  [155229, 'TransactionNotEligible', 400, 'resolve', 'The state of the transaction does not allow this operation', 'read the state of the transaction and act on that'],
  [155230, 'CallDataMissing', 400, 'refused', 'The contract call has no call data', 'set callData or an ABI function signature'],
  [155231, 'FeeMissing', 400, 'refused', 'The request sets neither feeLevel nor gasLimit', 'set feeLevel or gasLimit'],
  [155232, 'ScaFeeLevelMissing', 400, 'refused', 'A smart contract wallet needs a feeLevel', 'set feeLevel'],
  // The caller has to estimate again. No flow does: it ends as `failed`.
  [155233, 'GasLimitTooLow', 400, 'renew', 'The gasLimit is below what the network estimates', 'estimate again and set a gasLimit above the estimate'],
  [155234, 'FeeFormsMixed', 400, 'refused', 'The request has both feeLevel and individual fee values', 'keep feeLevel or the fee values, not both'],
  [155235, 'Eip1559FeesMissing', 400, 'refused', 'This blockchain needs maxFee and priorityFee', 'set maxFee and priorityFee'],
  [155236, 'FeeNotDecimal', 400, 'refused', 'A fee value is not a decimal number', 'send fees as decimal strings'],
  [155237, 'PriorityFeeAboveMaxFee', 400, 'refused', 'The priorityFee is larger than the maxFee', 'set priorityFee to at most maxFee'],
  [155238, 'GasPriceMissing', 400, 'refused', 'This blockchain has no EIP-1559 fees and needs a gasPrice', 'set gasPrice'],
  [155239, 'TokenAddressInvalid', 400, 'refused', 'The token address is not an address of this blockchain', 'correct the token address'],
  [155240, 'TokenStandardInvalid', 400, 'refused', 'The API does not know the token standard', 'choose a supported token standard'],
  [155241, 'TokenDecimalsInvalid', 400, 'refused', 'The number of token decimals is not valid', 'correct the token decimals'],
  [155242, 'AmountsAndNftsDiffer', 400, 'refused', 'The numbers of amounts and of NFT token ids differ', 'send one amount for each NFT token id'],
  [155243, 'BytecodeMissing', 400, 'refused', 'A deployment needs bytecode', 'add the bytecode of the contract'],
  [155244, 'SourceFormsMixed', 400, 'refused', 'The request names the source both by wallet id and by address', 'keep walletId, or sourceAddress with blockchain'],
  [155245, 'ExecutionAmountInvalid', 400, 'refused', 'The amount of the contract execution is not a number', 'send the amount as a decimal string'],
  [155247, 'CallFormsMixed', 400, 'refused', 'The request has both callData and an ABI form', 'keep callData, or abiFunctionSignature with abiParameters'],
  [155264, 'SenderQueueFull', 400, 'wait', 'Too many transactions of this address are waiting for the blockchain', 'wait until some are final, or spread the load over several wallets'],
  // Known only from the official SDKs. Their status is not published; 400 is assumed.
  [155254, 'Eip1559FeesUnsupported', 400, 'refused', 'This blockchain has no EIP-1559 fees', 'replace maxFee and priorityFee with gasPrice'],
  [155257, 'RentExemptionViolated', 400, 'refused', 'A Solana account would end below its rent exemption', 'change the amount so that both accounts end empty or above the threshold'],
  [155258, 'InsufficientAssetAmount', 400, 'attention', 'The wallet holds too little of the asset', 'add the asset to the sending wallet'],
  [155262, 'SolanaAccountNotFound', 400, 'attention', 'The Solana account does not exist, usually because it has no funds', 'fund the sending account with SOL'],
]);
