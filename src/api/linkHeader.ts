import { parseUrl } from './url';

const LINK = /<([^>]*)>([^,<]*)/g;
const REL_NEXT = /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i;

/**
 * The cursor in the `rel="next"` link of a `Link` header. Null: there is no such link, so this is the last page.
 * Undefined: the response does not say, because it has no header or its next link has no cursor.
 */
export function nextCursor(link: string | undefined): string | null | undefined {
  if (link === undefined) return undefined;
  for (const [, target = '', parameters = ''] of link.matchAll(LINK)) {
    if (!REL_NEXT.test(parameters.trim())) continue;
    return parseUrl(target, 'http://localhost')?.searchParams.get('pageAfter') ?? undefined;
  }
  return null;
}
