import { z } from 'zod';
import { endpoint, type Rule } from './endpoint';
import { ACCOUNT_TYPES, challenge, user } from './resources';
import { data, idParams, order, paging, requestBlockchain, uuid } from './schema';

/** Chosen by the integrator for users with a PIN, by the API for those who log in by email or at an SSO provider. */
const userId = z.string().min(5).max(50);
/** Both are checked by rules, whose codes say more than a schema's. */
const deviceId = z.string();
const email = z.string();

const keyed = { idempotencyKey: uuid };
const walletMetadata = z.object({ name: z.string().optional(), refId: z.string().optional() });

const User = data(user);
/** Of everything that a user has to approve. */
export const Challenge = data(z.object({ challengeId: z.string() }));

/** Device ids are the browser SDK's, in UUID form. */
const DEVICE_RULES: readonly Rule<{ deviceId: string }>[] = [
  [155137, (body) => !uuid.safeParse(body.deviceId).success],
];
const EMAIL_RULES: readonly Rule<{ email: string }>[] = [[155135, (body) => !z.email().safeParse(body.email).success]];

/** What a user wants wallets of; `metadata` has an entry for each blockchain (`155504`). */
export const userWalletFields = {
  blockchains: z.array(requestBlockchain).min(1),
  accountType: z.enum(ACCOUNT_TYPES).optional(),
  metadata: z.array(walletMetadata).optional(),
};
export const USER_WALLET_RULES: readonly Rule<{
  blockchains?: string[] | undefined;
  metadata?: unknown[] | undefined;
}>[] = [[155504, (body) => body.metadata !== undefined && body.metadata.length !== (body.blockchains?.length ?? 0)]];

/** Of the settings of mail and sign-in in the console, where they are not sound. */
const MAIL_ERRORS = [155138, 155150, 155151, 155154, 155155, 155158, 155159, 155160] as const;
/** Of calls that open a challenge, which a PIN approves. */
export const APPROVAL_ERRORS = [155110, 155119] as const;

/** Users of user-controlled wallets, how they log in, and their challenges (spec: Users and challenges; api-facts 5). */
export const users = {
  createUser: endpoint({
    method: 'POST',
    path: '/users',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'natural',
    body: z.object({ userId }),
    response: User,
    errors: [155101],
    summary: 'Creates a user with a PIN to be set',
  }),
  listUsers: endpoint({
    method: 'GET',
    path: '/users',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({
      pinStatus: z.enum(['ENABLED', 'UNSET', 'LOCKED']).optional(),
      securityQuestionStatus: z.enum(['ENABLED', 'UNSET', 'LOCKED']).optional(),
      ...paging,
      order,
    }),
    response: data(z.object({ users: z.array(user) })),
    errors: [156012, 156014],
    summary: 'Lists users',
  }),
  getUser: endpoint({
    method: 'GET',
    path: '/users/{id}',
    auth: 'apiKey',
    limit: 'get',
    idempotency: 'repeatable',
    params: z.object({ id: userId }),
    response: data(z.object({ user })),
    errors: [155102],
    summary: 'One user, by user id',
  }),
  createUserToken: endpoint({
    method: 'POST',
    path: '/users/token',
    auth: 'apiKey',
    limit: 'ten',
    idempotency: 'repeatable',
    body: z.object({ userId }),
    response: data(z.object({ userToken: z.string(), encryptionKey: z.string().optional() })),
    errors: [155102, 155109],
    summary: 'A user token for 60 minutes, and the encryption key that belongs to it',
  }),
  createSocialDeviceToken: endpoint({
    method: 'POST',
    path: '/users/social/token',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...keyed, deviceId }),
    response: data(z.object({ deviceToken: z.string(), deviceEncryptionKey: z.string().optional() })),
    rules: DEVICE_RULES,
    errors: [155152],
    summary: 'A device token for ten minutes, to log in with at an SSO provider',
  }),
  createEmailDeviceToken: endpoint({
    method: 'POST',
    path: '/users/email/token',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...keyed, deviceId, email }),
    response: data(
      z.object({
        deviceToken: z.string(),
        deviceEncryptionKey: z.string().optional(),
        otpToken: z.string().optional(),
      }),
    ),
    rules: [...DEVICE_RULES, ...EMAIL_RULES],
    errors: [155142, ...MAIL_ERRORS],
    summary: 'Mails a one-time password, and gives the device token for ten minutes to log in with',
  }),
  resendOtp: endpoint({
    method: 'POST',
    path: '/users/resendOTP',
    aliases: ['/v1/w3s/users/email/resendOTP'],
    // The published file demands a user token, which nobody has before the first login; the official SDK always sends one.
    auth: 'anyUser',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...keyed, otpToken: z.string().min(1), email, deviceId }),
    response: data(z.object({ otpToken: z.string() })),
    rules: [...DEVICE_RULES, ...EMAIL_RULES],
    errors: [155113, 155131, 155136, 155142, 155143, 155144, ...MAIL_ERRORS],
    summary: 'Mails another one-time password, with a token of its own',
  }),
  refreshUserToken: endpoint({
    method: 'POST',
    path: '/user/token/refresh',
    aliases: ['/v1/w3s/users/token/refresh'],
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...keyed, refreshToken: z.string().min(1), deviceId }),
    response: data(
      z.object({
        userToken: z.string(),
        encryptionKey: z.string().optional(),
        userID: z.string().optional(),
        refreshToken: z.string().optional(),
      }),
    ),
    rules: DEVICE_RULES,
    errors: [155113],
    summary: 'A new user token for 14 days, for a user who logged in by email or at an SSO provider',
  }),
  initializeUser: endpoint({
    method: 'POST',
    path: '/user/initialize',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...keyed, ...userWalletFields, blockchains: userWalletFields.blockchains.optional() }),
    response: Challenge,
    rules: USER_WALLET_RULES,
    errors: [155106, 155107, 155507, 155508, 156006],
    summary: 'Opens a challenge to set PIN and security questions and to create the first wallets',
  }),
  getCurrentUser: endpoint({
    method: 'GET',
    path: '/user',
    auth: 'userToken',
    limit: 'get',
    idempotency: 'repeatable',
    response: User,
    summary: 'The user of the user token',
  }),
  createUserPin: endpoint({
    method: 'POST',
    path: '/user/pin',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object(keyed),
    response: Challenge,
    errors: [155107],
    // The endpoint only sets a PIN: there is nothing to adopt.
    kinds: { 155107: 'refused' },
    summary: 'Opens a challenge to set the first PIN',
  }),
  updateUserPin: endpoint({
    method: 'PUT',
    path: '/user/pin',
    auth: 'userToken',
    limit: 'write',
    idempotency: 'key',
    body: z.object(keyed),
    response: Challenge,
    errors: [155110, 155119],
    summary: 'Opens a challenge to change the PIN, for a user who knows it',
  }),
  restoreUserPin: endpoint({
    method: 'POST',
    path: '/user/pin/restore',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object(keyed),
    response: Challenge,
    errors: [155110, 155111, 155120],
    summary: 'Opens a challenge to set a new PIN, for a user who answers the security questions',
  }),
  listUserChallenges: endpoint({
    method: 'GET',
    path: '/user/challenges',
    auth: 'userToken',
    limit: 'get',
    idempotency: 'repeatable',
    query: z.object({ status: z.enum(['PENDING', 'IN_PROGRESS']).optional() }),
    response: data(z.object({ challenges: z.array(challenge).optional() })),
    summary: "The user's challenges that are not over",
  }),
  getUserChallenge: endpoint({
    method: 'GET',
    path: '/user/challenges/{id}',
    auth: 'userToken',
    limit: 'get',
    idempotency: 'repeatable',
    params: idParams,
    response: data(z.object({ challenge })),
    errors: [155116, 156009],
    summary: 'One challenge of the user',
  }),
};
