/** Whether text has half of a surrogate pair. Such text has no UTF-8 form, so a copy of it would differ. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
