/** The declared response types of the SDKs, by package and method. index.js turns them into JSON schemas. */

import type {
  CircleDeveloperControlledWalletsClient,
  registerEntitySecretCiphertext,
} from '@circle-fin/developer-controlled-wallets';
import type { CCTPV2BridgingProvider } from '@circle-fin/provider-cctp-v2';
import type { CircleSmartContractPlatformClient } from '@circle-fin/smart-contract-platform';
import type { CircleUserControlledWalletsClient } from '@circle-fin/user-controlled-wallets';

type Resolved<Method> = Method extends (...args: never[]) => infer Returned ? Awaited<Returned> : never;

/** The wallet SDKs return a response whose `data` is the `data` of the API's response. */
type ResponseData<Method> =
  Resolved<Method> extends { status: number; data?: infer Data } ? Exclude<Data, undefined | void> : never;
type Responses<Client> = { [Name in keyof Client]: ResponseData<Client[Name]> };

export type DeveloperControlledWallets = Responses<CircleDeveloperControlledWalletsClient>;
export type EntitySecret = {
  registerEntitySecretCiphertext: ResponseData<typeof registerEntitySecretCiphertext>;
  generateEntitySecretCiphertext: string;
};
export type SmartContractPlatform = Responses<CircleSmartContractPlatformClient>;
export type UserControlledWallets = Responses<CircleUserControlledWalletsClient>;

export type ProviderCctpV2 = {
  [Name in 'fetchAttestation' | 'fetchRelayerMint' | 'reAttest']: Resolved<CCTPV2BridgingProvider[Name]>;
};
