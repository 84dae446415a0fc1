import type { UserFacts, WalletFacts } from '../../activities';
import {
  anyValue,
  type Form,
  FormError,
  integer,
  listOf,
  number,
  objectOf,
  optional,
  setFlag,
  text,
} from '../../src/domain/forms';
import { effectForm, screeningForm } from '../../src/domain/messageForms';
import type { TransactionFacts } from '../../src/domain/transactionFacts';
import type { ChallengeEnd, ChallengeFacts, SessionOperation } from '../../src/domain/userSession';

/** The API's texts have no limit of their own. A message limits the size of the whole response. */
const string: Form<string> = (value, path) => {
  if (typeof value === 'string') return value;
  throw new FormError(path, 'a string');
};

const CHALLENGE = {
  id: text,
  type: string,
  status: string,
  correlationIds: listOf(text),
  errorCode: optional(integer),
};
const challengeForm = objectOf<ChallengeFacts>(CHALLENGE);
const challengeEndForm = objectOf<ChallengeEnd>({
  ...CHALLENGE,
  ordinal: optional(integer),
  renewalUnknown: optional(setFlag),
});
const userForm = objectOf<UserFacts>({
  status: optional(string),
  pinStatus: optional(string),
  securityQuestionStatus: optional(string),
  pinLockedForMs: optional(number),
  answersLockedForMs: optional(number),
  ageMs: optional(number),
});
const walletForm = objectOf<WalletFacts>({
  id: text,
  address: string,
  blockchain: string,
  accountType: optional(string),
  state: string,
  userId: optional(string),
  name: optional(string),
  refId: optional(string),
  createDate: optional(string),
});
const transactionForm = objectOf<TransactionFacts>({
  id: text,
  state: string,
  walletId: optional(string),
  destinationAddress: optional(string),
  tokenId: optional(string),
  amounts: optional(listOf(string)),
  nftTokenIds: optional(listOf(string)),
  contractAddress: optional(string),
  abiFunctionSignature: optional(string),
  abiParameters: optional(listOf(anyValue)),
  effect: optional(effectForm),
  txHash: optional(string),
  networkFee: optional(string),
  errorReason: optional(string),
  errorDetails: optional(string),
  screening: optional(screeningForm),
});

/**
 * The form of the response to each operation. A session of another version may respond in another form, which must not fail
 * the flow's task.
 */
export const RESPONSE_FORMS: Record<SessionOperation['type'], Form<unknown>> = {
  openChallenge: challengeForm,
  findChallenge: optional(challengeForm),
  awaitChallengeEnd: challengeEndForm,
  readUser: userForm,
  listWallets: listOf(walletForm),
  followTransaction: transactionForm,
  withdraw: anyValue,
  releaseChallenge: anyValue,
  refreshChallenge: anyValue,
  refreshUser: anyValue,
  renewTokens: anyValue,
  login: anyValue,
};
