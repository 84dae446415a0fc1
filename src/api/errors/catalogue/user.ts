import { entriesOf } from '../entry';

/** Users, their tokens, PIN, challenges, OTP and devices (155101–155146). */
// prettier-ignore
export const USER_ERRORS = entriesOf([
  [155101, 'UserIdTaken', 409, 'resolve', 'A user with this id already exists', 'adopt the existing user if it is yours, or choose another user id'],
  [155102, 'UserNotFound', 404, 'refused', 'No user has this id', 'check the user id and that it belongs to this entity'],
  [155103, 'UserTokenUnknown', 401, 'renew', 'The API does not know the user token', 'get a new user token'],
  [155104, 'UserTokenExpired', 403, 'renew', 'The user token has expired', 'get a new user token'],
  [155105, 'UserTokenInvalid', 403, 'renew', 'The user token is not valid', 'get a new user token'],
  [155106, 'UserAlreadyInitialized', 409, 'resolve', 'The user is already initialized', 'read the user and continue from its status'],
  // `refused` at the endpoint that only sets a PIN: there is nothing to adopt.
  [155107, 'PinAlreadySet', 409, 'resolve', 'The user already has a PIN', 'change the PIN with PUT /user/pin instead of setting it'],
  [155108, 'SecurityQuestionsAlreadySet', 409, 'resolve', 'The user already has security questions, which cannot be reset', 'continue with the existing questions'],
  [155109, 'UserDisabled', 409, 'attention', 'The user is disabled', 'enable the user again'],
  [155110, 'PinNotSet', 400, 'refused', 'The user has no PIN', 'initialize the user or let the user set a PIN first'],
  [155111, 'SecurityQuestionsNotSet', 400, 'refused', 'The user has no security questions', 'initialize the user or let the user set security questions first'],
  [155112, 'PinIncorrect', 400, 'user', 'The user entered a wrong PIN', 'ask the user for the right PIN; repeated failures lock the input'],
  [155113, 'DeviceNotFound', 400, 'user', 'No device has this id', 'read the device id again in the app and send it'],
  [155114, 'AppIdUnknown', 400, 'attention', 'The app id does not belong to the entity', 'compare the app id in the client with the console or GET /config/entity'],
  [155115, 'SecurityAnswersIncorrect', 400, 'user', 'The user gave wrong answers to the security questions', 'ask the user to answer again; repeated failures lock the input'],
  // Read the old challenge before opening a new one: it may have been approved.
  [155116, 'ChallengeNotFound', 404, 'renew', 'No challenge has this id', 'check the challenge id, or create a new challenge'],
  [155117, 'ApprovalContentIncorrect', 400, 'attention', 'The client sent an approval in a form the API does not accept', 'update the client SDK in the app'],
  // Token and key are issued together: renew both as a pair.
  [155118, 'EncryptionKeyMismatch', 400, 'renew', 'Encryption key and user token were not issued together', 'get a new user token and use the encryption key that comes with it'],
  // Wait until the user's `lockedExpiryDate`, or 30 minutes without one. The same applies to the security questions.
  [155119, 'PinLocked', 400, 'wait', 'PIN entry is locked after too many failures', 'wait until the lock expires, then let the user try again'],
  [155120, 'SecurityQuestionsLocked', 400, 'wait', 'Answering security questions is locked after too many failures', 'wait until the lock expires, then let the user try again'],
  // As for 155116: read the old challenge first.
  [155121, 'ChallengeExpired', 403, 'renew', 'The challenge was not completed in time', 'create a new challenge'],
  [155122, 'ChallengeInvalid', 403, 'renew', 'The challenge can no longer be used', 'create a new challenge'],
  [155123, 'PinExtraInformationMissing', 403, 'attention', 'The client omitted the extra information that a PIN request needs', 'update the client SDK in the app'],
  [155124, 'PinExtraInformationInvalid', 403, 'attention', 'The client sent unusable extra information', 'update the client SDK in the app'],
  // A new OTP is sent in another email, which counts toward the limit of 155142. The same applies to 155132 and 155146.
  [155130, 'OtpTokenExpired', 400, 'renew', 'The OTP token has expired', 'send the user a new OTP email'],
  [155131, 'OtpTokenInvalid', 400, 'user', 'The OTP token is not valid', 'in the app, use the OTP token of the latest email'],
  [155132, 'OtpNotFound', 404, 'renew', 'No OTP was sent for this request', 'send the user an OTP email first'],
  [155133, 'OtpInvalid', 400, 'user', 'The user entered a wrong OTP', 'ask the user to enter the code of the latest email'],
  [155134, 'OtpTokenMismatch', 400, 'user', 'OTP and OTP token come from different emails', 'ask the user for the code of the email that the token belongs to'],
  [155135, 'EmailInvalid', 400, 'refused', 'The email address is malformed', 'correct the email address'],
  [155136, 'EmailMismatch', 400, 'user', 'The email address is not the one the user registered with', 'ask the user for the registered email address'],
  [155137, 'DeviceIdInvalid', 400, 'user', 'The device id is malformed', 'read the device id again in the app and send it'],
  [155138, 'EmailSendFailed', 400, 'attention', 'The OTP email could not be sent', 'check the SMTP configuration in the console'],
  [155139, 'SsoTokenExpired', 400, 'user', 'The token of the SSO provider has expired', 'ask the user to sign in with the SSO provider again'],
  [155140, 'SsoTokenRejected', 400, 'attention', 'The token of the SSO provider did not pass validation', 'compare the SSO provider configuration in the console with the provider'],
  [155141, 'OtpEntriesExhausted', 400, 'wait', 'The user entered an OTP more than five times', 'wait 60 minutes, then let the user try again'],
  [155142, 'OtpSendsExhausted', 400, 'wait', 'More than five OTP emails were requested', 'wait 60 minutes before another email is sent'],
  [155143, 'DeviceTokenExpired', 400, 'renew', 'The device token is older than ten minutes', 'get a new device token'],
  [155144, 'DeviceTokenInvalid', 400, 'renew', 'The device token was replaced or is wrong', 'get a new device token and use only the latest for a device'],
  [155145, 'DeviceTokenNotFound', 404, 'renew', 'The API does not know the device token', 'get a new device token'],
  [155146, 'OtpTokenExhausted', 400, 'renew', 'Three wrong entries have invalidated the OTP token', 'send the user a new OTP email'],
]);
