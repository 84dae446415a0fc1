/** What the SDKs declare to answer with, by package and method. Only read, to make schemas of it: see index.js. */

import type {
  CircleDeveloperControlledWalletsClient,
  registerEntitySecretCiphertext,
} from '@circle-fin/developer-controlled-wallets';
import type { CCTPV2BridgingProvider } from '@circle-fin/provider-cctp-v2';
import type { CircleSmartContractPlatformClient } from '@circle-fin/smart-contract-platform';
import type { CircleUserControlledWalletsClient } from '@circle-fin/user-controlled-wallets';

type Result<Method> = Method extends (...args: never[]) => infer Returned ? Awaited<Returned> : never;

/** The wallet SDKs give a response, whose `data` is what the API has in its own `data`. */
type Answer<Method> =
  Result<Method> extends { status: number; data?: infer Data } ? Exclude<Data, undefined | void> : never;
type Answers<Client> = { [Name in keyof Client]: Answer<Client[Name]> };

export type DeveloperControlledWallets = Answers<CircleDeveloperControlledWalletsClient>;
export type EntitySecret = {
  registerEntitySecretCiphertext: Answer<typeof registerEntitySecretCiphertext>;
  generateEntitySecretCiphertext: string;
};
export type SmartContractPlatform = Answers<CircleSmartContractPlatformClient>;
export type UserControlledWallets = Answers<CircleUserControlledWalletsClient>;

export type ProviderCctpV2 = {
  [Name in 'fetchAttestation' | 'fetchRelayerMint' | 'reAttest']: Result<CCTPV2BridgingProvider[Name]>;
};
