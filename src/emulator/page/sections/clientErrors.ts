/** What client SDKs report by themselves, in words of ours; the codes are theirs (api-facts 5). */
const ERRORS: readonly [code: number, what: string][] = [
  [155701, 'The user cancelled'],
  [155702, 'The dialog could not be opened'],
  [155703, 'The two entries of the PIN differ'],
  [155704, 'The PIN repeats digits or counts on'],
  [155705, 'A hint is the same as its answer'],
  [155706, 'The network failed'],
  [155707, 'The entry could not be encrypted'],
  [155708, 'Biometrics are switched off'],
  [155709, 'The device has no biometrics'],
  [155710, 'The key of the biometrics could not be read'],
  [155711, 'The user has not set up biometrics'],
  [155712, 'The user refused biometrics'],
  [155713, 'Too many requests'],
  [155714, 'The sensor of the device is locked'],
  [155715, 'The user did not switch on biometrics'],
  [155716, 'Biometrics failed'],
  [155717, 'The secret of the user is missing'],
  [155718, 'The secret of the user is not valid'],
  [155719, 'The user token does not go with the call'],
  [155720, 'The login at the provider failed'],
  [155721, 'The login is missing'],
];

export const CLIENT_ERRORS = ERRORS.map(([code, what]) => ({ value: String(code), label: what }));
