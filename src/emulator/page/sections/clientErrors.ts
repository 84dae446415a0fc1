/** Errors that client SDKs report without calling the API. The codes come from the SDKs, the descriptions from us. */
const ERRORS: readonly [code: number, text: string][] = [
  [155701, 'The user cancelled'],
  [155702, 'The dialog could not be opened'],
  [155703, 'The two PINs differ'],
  [155704, 'The PIN has repeated or consecutive digits'],
  [155705, 'A hint is the same as its answer'],
  [155706, 'Network error'],
  [155707, 'The input could not be encrypted'],
  [155708, 'Biometrics are disabled'],
  [155709, 'The device has no biometrics'],
  [155710, 'The biometric key could not be read'],
  [155711, 'The user has not set up biometrics'],
  [155712, 'The user declined biometrics'],
  [155713, 'Too many requests'],
  [155714, 'The biometric sensor is locked'],
  [155715, 'The user did not enable biometrics'],
  [155716, 'Biometrics failed'],
  [155717, "The user's secret is missing"],
  [155718, "The user's secret is invalid"],
  [155719, 'The user token does not match the call'],
  [155720, 'The login at the provider failed'],
  [155721, 'The login is missing'],
];

export const CLIENT_ERRORS = ERRORS.map(([code, text]) => ({ value: String(code), label: text }));
