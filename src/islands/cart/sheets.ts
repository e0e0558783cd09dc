/*
 * The style sheets of this island, for the pages that show it: they stand inline in the page. A script that imported one
 * would ask for it as a file when it is loaded later, and there is none.
 */
import './cart.css';
import '#styles/button.css';
import '#islands/ui/empty-cart.css';
import '#islands/ui/totals.css';
import '#islands/ui/price-change.css';
import '#styles/price.css';
import '#islands/ui/product-thumb.css';
import '#styles/stepper.css';
import '#styles/skeleton.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
import '#styles/field.css';
