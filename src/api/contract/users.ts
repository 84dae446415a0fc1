import { z } from 'zod';
import { endpoint, type Rule } from './endpoint';
import { ACCOUNT_TYPES, challenge, user } from './resources';
import { data, idParams, order, paging, requestBlockchain, rows, uuid } from './schema';

/** The integrator chooses it for users with a PIN, the API for users who log in by email or with an SSO provider. */
const userId = z.string().min(5).max(50);
/** The device id and the email are checked by rules, because the rules' codes are more specific than a schema error. */
const deviceId = z.string();
const email = z.string();

const idempotencyFields = { idempotencyKey: uuid };
const walletMetadata = z.object({ name: z.string().optional(), refId: z.string().optional() });

const User = data(user);
/** The response of every call that a user has to approve. */
export const Challenge = data(z.object({ challengeId: z.string() }));

/** Device ids come from the browser SDK and are UUIDs. */
const DEVICE_RULES: readonly Rule<{ deviceId: string }>[] = [
  [155137, (body) => !uuid.safeParse(body.deviceId).success],
];
const EMAIL_RULES: readonly Rule<{ email: string }>[] = [[155135, (body) => !z.email().safeParse(body.email).success]];

/** The wallets to create. `metadata` has one entry per blockchain (`155504`). */
export const userWalletFields = {
  blockchains: z.array(requestBlockchain).min(1),
  accountType: z.enum(ACCOUNT_TYPES).optional(),
  metadata: z.array(walletMetadata).optional(),
};
export const USER_WALLET_RULES: readonly Rule<{
  blockchains?: string[] | undefined;
  metadata?: unknown[] | undefined;
}>[] = [[155504, (body) => body.metadata !== undefined && body.metadata.length !== (body.blockchains?.length ?? 0)]];

/** Codes for wrong email or sign-in settings in the console. */
const MAIL_ERRORS = [155138, 155150, 155151, 155154, 155155, 155158, 155159, 155160] as const;
/** Codes of calls that open a challenge, because a PIN approves it. */
export const APPROVAL_ERRORS = [155110, 155119] as const;

/** Users of user-controlled wallets, their logins and their challenges (docs/api-behavior.md#users-and-challenges). */
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
    summary: 'Creates a user who still has to set a PIN',
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
    response: data(z.object({ users: rows(user) })),
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
    summary: 'Returns one user',
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
    summary: 'Creates a user token, valid for 60 minutes, and its encryption key',
  }),
  createSocialDeviceToken: endpoint({
    method: 'POST',
    path: '/users/social/token',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...idempotencyFields, deviceId }),
    response: data(z.object({ deviceToken: z.string(), deviceEncryptionKey: z.string().optional() })),
    rules: DEVICE_RULES,
    errors: [155152],
    summary: 'Creates a device token, valid for ten minutes, for a login with an SSO provider',
  }),
  createEmailDeviceToken: endpoint({
    method: 'POST',
    path: '/users/email/token',
    auth: 'apiKey',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...idempotencyFields, deviceId, email }),
    response: data(
      z.object({
        deviceToken: z.string(),
        deviceEncryptionKey: z.string().optional(),
        otpToken: z.string().optional(),
      }),
    ),
    rules: [...DEVICE_RULES, ...EMAIL_RULES],
    errors: [155142, ...MAIL_ERRORS],
    summary: 'Emails a one-time password and creates a device token, valid for ten minutes, for the login',
  }),
  resendOtp: endpoint({
    method: 'POST',
    path: '/users/resendOTP',
    aliases: ['/v1/w3s/users/email/resendOTP'],
    // The OpenAPI document requires a user token, which no user has before the first login. The official SDK always
    // sends one.
    auth: 'optionalUserToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...idempotencyFields, otpToken: z.string().min(1), email, deviceId }),
    response: data(z.object({ otpToken: z.string() })),
    rules: [...DEVICE_RULES, ...EMAIL_RULES],
    errors: [155113, 155131, 155136, 155142, 155143, 155144, ...MAIL_ERRORS],
    summary: 'Emails another one-time password and returns a new OTP token',
  }),
  refreshUserToken: endpoint({
    method: 'POST',
    path: '/user/token/refresh',
    aliases: ['/v1/w3s/users/token/refresh'],
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...idempotencyFields, refreshToken: z.string().min(1), deviceId }),
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
    summary: 'Renews the user token, valid for 14 days, of a user who logged in by email or with an SSO provider',
  }),
  initializeUser: endpoint({
    method: 'POST',
    path: '/user/initialize',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object({ ...idempotencyFields, ...userWalletFields, blockchains: userWalletFields.blockchains.optional() }),
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
    summary: 'Returns the user of the user token',
  }),
  createUserPin: endpoint({
    method: 'POST',
    path: '/user/pin',
    auth: 'userToken',
    limit: 'post',
    idempotency: 'key',
    body: z.object(idempotencyFields),
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
    body: z.object(idempotencyFields),
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
    body: z.object(idempotencyFields),
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
    response: data(z.object({ challenges: rows(challenge).optional() })),
    summary: "Lists the user's open challenges",
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
    summary: 'Returns one challenge of the user',
  }),
};
