import { entriesOf } from '../entry';

/** Wallets, smart contract accounts (SCA) included (155501–155517). */
// prettier-ignore
export const WALLET_ERRORS = entriesOf([
  [155501, 'WalletFrozen', 409, 'refused', 'The wallet is frozen and can only be read', 'use another wallet, and ask compliance why this one was frozen'],
  [155502, 'WalletSetFull', 403, 'attention', 'The wallet set has reached its maximum number of wallets', 'create another wallet set'],
  [155503, 'MetadataCountMismatch', 400, 'refused', 'The numbers of metadata elements and of wallets differ', 'send one metadata element for each wallet'],
  [155504, 'UserMetadataCountMismatch', 400, 'refused', 'The numbers of metadata elements and of blockchains differ', 'send one metadata element for each blockchain'],
  // For an effect with an earlier attempt of unknown outcome this proves nothing: that attempt may be the first
  // transaction.
  [155505, 'ScaFirstTransactionPending', 400, 'wait', 'The first transaction of the smart contract wallet is not queued yet', 'wait for the first transaction'],
  [155506, 'ScaConfigurationInvalid', 400, 'attention', 'The configuration for smart contract wallets is unusable', 'check the smart contract wallet setup in the console'],
  [155507, 'ScaUnsupportedOnBlockchain', 400, 'refused', 'This blockchain has no smart contract wallets', 'choose another blockchain, or an EOA wallet'],
  [155509, 'PaymasterPolicyMissing', 400, 'attention', 'A mainnet has no paymaster policy', 'configure a paymaster policy for the blockchain in the console'],
  [155510, 'OperationUnsupportedOnBlockchain', 400, 'refused', 'The operation does not exist on this blockchain', 'choose a blockchain that supports the operation'],
  [155511, 'WalletBlockchainUnsupported', 400, 'refused', 'Wallets cannot be created on this blockchain', 'choose a blockchain that supports wallets'],
  [155512, 'ScaOwnerNotFound', 404, 'attention', 'The owner of the smart contract wallet cannot be found', 'check how the wallet was set up and whether its ownership was transferred'],
  [155515, 'AccountTypeUnsupported', 400, 'refused', 'The endpoint does not serve wallets of this account type', 'choose a wallet of a supported account type'],
  // Known only from the official SDKs. Their status is not published; 400 is assumed.
  [155508, 'ScaOneBlockchainAtATime', 400, 'refused', 'User smart contract wallets cannot be created on several blockchains at the same time', 'create them with one request for each blockchain'],
  [155514, 'ScaUpgradeBeforeDeployment', 400, 'refused', 'A smart contract wallet that is not deployed cannot be upgraded', 'send a first transaction from the wallet, then upgrade it'],
  [155516, 'ScaVersionNotDerivable', 400, 'refused', 'The version of this smart contract wallet does not allow derived wallets', 'derive from a wallet of a newer version'],
  // The first transaction of the wallet deploys it.
  [155517, 'ScaNotDeployed', 400, 'wait', 'The smart contract wallet does not exist on the blockchain yet', 'send a first transaction from the wallet'],
]);
