import { decodeHTML } from 'entities';

/** What stands for a character that there is none of. */
const replacement = '\uFFFD';

/** Returns the text of a piece of HTML without its tags, for a place that has plain text only. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<br(?=[\s/>])[^<>]*>/gi, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z][a-z0-9]{1,30});/gi, textOfReference)
    .trim();
}

/** What a reference stands for; itself if XML has no such character. */
function textOfReference(reference: string): string {
  const text = decodeHTML(reference);
  return text === replacement || /^(?![\t\n\r])\p{Cc}$|^[\uFFFE\uFFFF]$/u.test(text) ? reference : text;
}

/** Elements of HTML that have no end tag (HTML, 13.1.2). */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Whether an element of HTML, named in letters of any case, has no end tag. */
export function isVoidElement(name: string): boolean {
  return voidElements.has(name.toLowerCase());
}
