// Search results: guides before the reference of the code.
var Scorer = {
  score: ([page, , , , score]) => score - (/^(api|developers)\/|^(changelog|proof)$/.test(page) ? 30 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
