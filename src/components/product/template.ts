/** A copy of what stands in `<template data-template="name">`; a page without it is a mistake of ours. */
export function copyTemplate(name: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-template="${name}"]`);
  const copy = template?.content.firstElementChild?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error(`There is no template '${name}' in this page.`);
  return copy;
}
