import { entriesOf } from '../entry';

/** Address screening of the Compliance Engine (280001–280002). */
// prettier-ignore
export const SCREENING_ERRORS = entriesOf([
  [280001, 'ScreeningBlockchainUnsupported', 400, 'refused', 'Addresses on this blockchain cannot be screened', 'choose a blockchain that screening supports'],
  [280002, 'ScreeningAddressInvalid', 400, 'refused', 'The address to screen is not an address of its blockchain', 'correct the address or its blockchain'],
]);
