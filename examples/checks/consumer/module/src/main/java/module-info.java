/** A program that is a module and uses the library as one. */
module consumer {
    requires org.microhttp;
}
