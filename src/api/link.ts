import { parseUrl } from './url';

const LINK = /<([^>]*)>([^,<]*)/g;
const REL_NEXT = /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i;

/**
 * The cursor in a `Link` header's `rel="next"`; null where the header has none, so that this is the last page; undefined
 * where it can't be told, because there is no header or its next link holds no cursor.
 */
export function nextCursor(link: string | undefined): string | null | undefined {
  if (link === undefined) return undefined;
  for (const [, target = '', parameters = ''] of link.matchAll(LINK)) {
    if (!REL_NEXT.test(parameters.trim())) continue;
    return parseUrl(target, 'http://localhost')?.searchParams.get('pageAfter') ?? undefined;
  }
  return null;
}
